//! The MESI protocol for one cache line and two caches.
//!
//! Each cache holds the line in one of four states. A core that lacks the right it needs puts a message
//! on the bus, the other cache answers by what it holds. [`own`] and [`snoop`] are the whole protocol;
//! [`Line`] applies them to data, so that a wrong transition shows as a wrong value.

/// Words of 8 bytes in a line of 64.
pub const SLOTS: usize = 8;

/// What a cache may do with its copy of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// The only copy, newer than memory.
    Modified,
    /// The only copy, equal to memory.
    Exclusive,
    /// Others may have it too; equal to memory.
    Shared,
    /// Nothing usable.
    Invalid,
}

impl State {
    /// All four, strongest right first.
    pub const ALL: [Self; 4] = [Self::Modified, Self::Exclusive, Self::Shared, Self::Invalid];

    /// The letter the protocol is named by.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Modified => "M",
            Self::Exclusive => "E",
            Self::Shared => "S",
            Self::Invalid => "I",
        }
    }

    /// Whether the copy can be read without asking.
    pub fn readable(self) -> bool {
        self != Self::Invalid
    }

    /// Whether the copy can be written without asking.
    pub fn writable(self) -> bool {
        matches!(self, Self::Modified | Self::Exclusive)
    }
}

/// What a core does with a word of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A load.
    Read,
    /// An atomic increment: a load and a store that nobody comes between.
    Add,
}

/// What a cache says on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// "I want to read this line."
    BusRd,
    /// "I want to write this line and do not have it": fetch and invalidate.
    BusRdX,
    /// "I have this line and want to write it": invalidate only.
    BusUpgr,
}

impl Message {
    /// Its name in textbooks.
    pub fn name(self) -> &'static str {
        match self {
            Self::BusRd => "BusRd",
            Self::BusRdX => "BusRdX",
            Self::BusUpgr => "BusUpgr",
        }
    }

    /// What it asks for.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::BusRd => "may I read?",
            Self::BusRdX => "give it to me, drop yours",
            Self::BusUpgr => "drop your copy",
        }
    }
}

/// The acting cache: the message it has to send and the state it ends in. `other_has_copy` is what the
/// snooping cache answers to [`Message::BusRd`].
pub fn own(state: State, action: Action, other_has_copy: bool) -> (Option<Message>, State) {
    use State::{Exclusive, Invalid, Modified, Shared};
    match (action, state) {
        (Action::Read, Modified | Exclusive | Shared) => (None, state),
        (Action::Read, Invalid) => (Some(Message::BusRd), if other_has_copy { Shared } else { Exclusive }),
        (Action::Add, Modified | Exclusive) => (None, Modified),
        (Action::Add, Shared) => (Some(Message::BusUpgr), Modified),
        (Action::Add, Invalid) => (Some(Message::BusRdX), Modified),
    }
}

/// How the other cache answers a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// State it ends in.
    pub next: State,
    /// Whether it hands the data over, so that memory is not asked.
    pub supplies: bool,
    /// Whether memory gets the newer data at this moment.
    pub writes_back: bool,
}

/// The other cache: what it does when it sees the message.
pub fn snoop(state: State, message: Message) -> Answer {
    use State::{Exclusive, Invalid, Modified, Shared};
    let (next, supplies, writes_back) = match (message, state) {
        // Shared means equal to memory, so the newer data is written back on the way.
        (Message::BusRd, Modified) => (Shared, true, true),
        (Message::BusRd, Exclusive | Shared) => (Shared, true, false),
        // The dirty data moves to its new owner; memory stays behind.
        (Message::BusRdX, Modified | Exclusive | Shared) => (Invalid, true, false),
        // Upgrades are only sent by a sharer, so nobody else owns the line.
        (Message::BusUpgr, Modified | Exclusive | Shared) => (Invalid, false, false),
        (_, Invalid) => (Invalid, false, false),
    };
    Answer { next, supplies, writes_back }
}

/// Where the acting core got the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// It had them.
    Own,
    /// The other cache handed them over.
    OtherCache,
    /// Memory.
    Memory,
}

/// What one access did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Message on the bus, if one was needed.
    pub message: Option<Message>,
    /// Where the data came from.
    pub source: Source,
    /// Whether the other cache lost its copy.
    pub invalidated: bool,
    /// Whether memory was brought up to date.
    pub written_back: bool,
}

/// A line in memory and in two caches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    states: [State; 2],
    copies: [[u32; SLOTS]; 2],
    memory: [u32; SLOTS],
}

impl Default for Line {
    fn default() -> Self {
        Self { states: [State::Invalid; 2], copies: [[0; SLOTS]; 2], memory: [0; SLOTS] }
    }
}

impl Line {
    /// State of each cache.
    pub fn states(&self) -> [State; 2] {
        self.states
    }

    /// Words that a cache holds. Old ones if its state is invalid.
    pub fn words(&self, cache: usize) -> &[u32; SLOTS] {
        &self.copies[cache]
    }

    /// Words in memory. Old ones while a cache has modified the line.
    pub fn memory(&self) -> &[u32; SLOTS] {
        &self.memory
    }

    /// Cache `who` (0 or 1) acts on word `slot`. The value is the word afterwards.
    pub fn access(&mut self, who: usize, action: Action, slot: usize) -> (u32, Access) {
        let other = 1 - who;
        let (message, next) = own(self.states[who], action, self.states[other].readable());
        let mut access = Access { message, source: Source::Own, invalidated: false, written_back: false };
        if let Some(message) = message {
            let answer = snoop(self.states[other], message);
            if answer.writes_back {
                self.memory = self.copies[other];
            }
            access.written_back = answer.writes_back;
            access.invalidated = self.states[other].readable() && !answer.next.readable();
            if message != Message::BusUpgr {
                access.source = if answer.supplies { Source::OtherCache } else { Source::Memory };
                self.copies[who] = if answer.supplies { self.copies[other] } else { self.memory };
            }
            self.states[other] = answer.next;
        }
        self.states[who] = next;
        if action == Action::Add {
            self.copies[who][slot] += 1;
        }
        (self.copies[who][slot], access)
    }
}

#[cfg(test)]
#[path = "mesi_tests.rs"]
mod tests;
