//! Texts, numbers, flags and lists.

use super::{Node, Read};
use crate::json::Json;

impl Read for String {
    fn read(node: Node<'_>) -> Self {
        match node.json {
            Json::Text(text) => text,
            json => {
                Node::new(json, node.trail).refuse("a text");
                Self::new()
            }
        }
    }
}

impl Read for bool {
    fn read(node: Node<'_>) -> Self {
        match node.json {
            Json::Flag(flag) => flag,
            _ => {
                node.refuse("true or false");
                false
            }
        }
    }
}

impl Read for f64 {
    fn read(node: Node<'_>) -> Self {
        match node.json {
            Json::Whole(value) => value as f64,
            Json::Negative(value) => value as f64,
            Json::Fraction(value) => value,
            _ => {
                node.refuse("a number");
                0.0
            }
        }
    }
}

impl Read for u64 {
    fn read(node: Node<'_>) -> Self {
        match node.json {
            Json::Whole(value) => value,
            Json::Negative(value) => {
                node.trail.refuse(format_args!("invalid value: integer `{value}`, expected one from 0 on"));
                0
            }
            _ => {
                node.refuse("a whole number");
                0
            }
        }
    }
}

impl Read for u32 {
    fn read(node: Node<'_>) -> Self {
        let Node { json, trail } = node;
        let value = u64::read(Node::new(json, &mut *trail));
        Self::try_from(value).unwrap_or_else(|_| {
            trail.refuse(format_args!("invalid value: integer `{value}`, expected one up to {}", Self::MAX));
            0
        })
    }
}

impl Read for (f64, f64) {
    fn read(node: Node<'_>) -> Self {
        let Node { json, trail } = node;
        let pair: Vec<f64> = Read::read(Node::new(json, &mut *trail));
        if let [low, high] = pair[..] {
            return (low, high);
        }
        trail.refuse(format_args!("invalid length {}, expected two numbers", pair.len()));
        (0.0, 0.0)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(node: Node<'_>) -> Self {
        let mut list = Self::new();
        node.each(&mut |entry| list.push(T::read(entry)));
        list
    }
}
