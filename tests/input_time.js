// Measures how long a figure takes from input to drawn and laid out, beside a peer of known cost.
//
// arguments: id of the figure, number of the slider, places of the slider, rounds, callback.
// Answers milliseconds of every input, and of the peer just before it: { figure, peer }.
const [id, nth, places, rounds, done] = arguments;
const SVG = 'http://www.w3.org/2000/svg';
// A drag over the slider, about a second long: compiled code becomes fast while it is used.
const DRAG = 60;

const figure = document.querySelector(`#fig-${id}`);
const slider = figure.querySelectorAll('input[type=range]')[nth];
const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)));
const settled = () => new Promise(resolve => {
  // The figure draws in a microtask, and a message comes after all of them.
  const channel = new MessageChannel();
  channel.port1.onmessage = resolve;
  channel.port2.postMessage(0);
});

async function step(place) {
  // Far jumps, since they change most.
  const share = ((place * 5) % places) / (places - 1);
  slider.value = Number(slider.min) + (Number(slider.max) - Number(slider.min)) * share;
  const start = performance.now();
  slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await settled();
  figure.querySelector('.picture svg').getBoundingClientRect();
  return performance.now() - start;
}

// The peer does by hand what figures do: it makes words, sets words and lengths of a drawing and has it laid out.
function makePeer() {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [name, value] of [['viewBox', '0 0 720 400'], ['width', 720], ['height', 400]]) svg.setAttribute(name, value);
  const items = Array.from({ length: 40 }, (_, i) => {
    const [text, box] = ['text', 'rect'].map(tag => document.createElementNS(SVG, tag));
    text.textContent = 'v';
    text.setAttribute('x', i * 10);
    text.setAttribute('y', 20);
    box.setAttribute('height', 10);
    svg.append(text, box);
    return [text, box];
  });
  figure.querySelector('.pictures').append(svg);
  let turn = 0;
  const peer = () => {
    turn += 1;
    const start = performance.now();
    items.forEach(([text, box], i) => {
      const words = Array.from({ length: 200 }, (_, j) => `${(i * j) % 97} ${turn}`).join(' ');
      text.firstChild.nodeValue = `v${(turn * 7 + i) % 100}`;
      box.setAttribute('x', (words.length % 50) + (turn % 13));
      box.setAttribute('width', (turn * 3 + i) % 40);
    });
    svg.getBoundingClientRect();
    return performance.now() - start;
  };
  return [peer, () => svg.remove()];
}

(async () => {
  const [peer, remove] = makePeer();
  for (let i = 0; i < DRAG; i += 1) {
    await step(i % places);
    peer();
    await frame();
  }
  const times = { figure: [], peer: [] };
  for (let input = 0; input < rounds * places; input += 1) {
    times.peer.push(peer());
    await frame();
    times.figure.push(await step(input % places));
    await frame();
  }
  remove();
  done(times);
})();
