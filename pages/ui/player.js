// The player: play, pause, step, back and scrub through one executed step, all in the browser.
const FRAME_MS = 900, ROUND_MS = 650, STILL_MS = 1300;

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
const last = player => player.scene.frames.length - 1;

function make(tag, className, parent, attributes = {}, text) {
  const node = document.createElement(tag);
  node.className = className;
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

function button(player, parent, text, label, action, className = '') {
  const node = make('button', className, parent, { type: 'button', 'aria-label': label, title: label }, text);
  node.addEventListener('click', () => action(player));
  return node;
}

// ---- moving ----------------------------------------------------------------------------------
function show(player, number, part) {
  const arrived = part >= 1, mark = `${number}/${arrived}`;
  if (player.mark !== mark) {
    player.mark = mark;
    showFrame(player, number, arrived);
    const frame = player.scene.frames[number];
    player.phase.textContent = frame.phase;
    player.words.textContent = frame.text;
    player.range.value = number;
    player.range.setAttribute('aria-valuetext', `${frame.phase}. ${frame.text}`);
  }
  player.number = number;
  player.part = part;
  showPart(player, number, part);
}

function stop(player) {
  cancelAnimationFrame(player.timer);
  player.timer = 0;
  player.playing = false;
  player.playButton.textContent = 'Play';
  player.playButton.setAttribute('aria-label', 'Play');
  player.words.setAttribute('aria-live', 'polite');
}

function go(player, number) {
  stop(player);
  show(player, Math.max(0, Math.min(number, last(player))), 1);
}

function run(player, number, onwards) {
  stop(player);
  player.playing = onwards;
  if (onwards) {
    player.playButton.textContent = 'Pause';
    player.playButton.setAttribute('aria-label', 'Pause');
    player.words.setAttribute('aria-live', 'off');
  }
  let began = performance.now();
  const still = calm();
  const tick = now => {
    const lasts = still ? STILL_MS : player.scene.frames[number].moves.length ? ROUND_MS : FRAME_MS;
    const part = Math.max(0, Math.min((now - began) / lasts, 1));
    show(player, number, still ? 1 : part);
    if (part >= 1) {
      if (!onwards || number >= last(player)) { stop(player); return; }
      number += 1;
      began = now;
    }
    player.timer = requestAnimationFrame(tick);
  };
  player.timer = requestAnimationFrame(tick);
}

function playOrPause(player) {
  if (player.playing) { stop(player); show(player, player.number, player.part); return; }
  const unfinished = player.part < 1, atEnd = player.number >= last(player) && !unfinished;
  run(player, atEnd ? 0 : unfinished ? player.number : player.number + 1, true);
}

function forward(player) {
  if (player.number >= last(player)) { go(player, last(player)); return; }
  if (calm()) go(player, player.number + 1); else run(player, player.number + 1, false);
}

const back = player => go(player, player.number - 1);

const KEYS = { ' ': playOrPause, ArrowRight: forward, ArrowLeft: back, Home: player => go(player, 0), End: player => go(player, last(player)) };

function onKey(player, event) {
  const isButton = event.target.tagName === 'BUTTON', act = KEYS[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || (isButton && event.key === ' ')) return;
  event.preventDefault();
  act(player);
}

// ---- files -----------------------------------------------------------------------------------
function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function saveCsv(player) {
  const { scene, states } = player, entries = scene.gradients[0].map((_, e) => `entry ${e + 1}`);
  const lines = [['frame', 'phase', 'host', 'samples', ...entries].join(',')];
  scene.frames.forEach((frame, number) => {
    const rows = rowsOf(player, number) ?? scene.gradients.map(() => []);
    rows.forEach((row, k) => lines.push([number + 1, frame.phase, scene.names[k], scene.counts[k] ?? '', ...row].join(',')));
  });
  save(`${scene.file}.csv`, new Blob([lines.join('\r\n') + '\r\n'], { type: 'text/csv' }));
}

function savePng(player) {
  const { box, theme, scene } = player, copy = player.svg.cloneNode(true);
  copy.setAttribute('xmlns', SVG);
  copy.setAttribute('width', box.width);
  copy.append(...player.top.cloneNode(true).childNodes);
  const image = new Image();
  image.onload = () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 2 * box.width, height: 2 * box.height });
    const pen = canvas.getContext('2d');
    pen.fillStyle = theme.ground;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => save(`${scene.file}.png`, blob));
  };
  image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(new XMLSerializer().serializeToString(copy));
}

// ---- build -----------------------------------------------------------------------------------
function build(player) {
  const { root, scene } = player;
  root.replaceChildren();
  root.style.minHeight = '';
  make('style', '', root).textContent = STYLE;
  const bar = make('div', 'nf-controls', root, { role: 'group', 'aria-label': 'Player of one step' });
  player.playButton = button(player, bar, 'Play', 'Play', playOrPause, 'nf-play');
  button(player, bar, 'Back', 'One frame back', back);
  button(player, bar, 'Step', 'One frame on', forward);
  player.range = make('input', '', bar, { type: 'range', min: 0, max: last(player), step: 1, 'aria-label': 'Place in the step' });
  player.range.addEventListener('input', () => go(player, Number(player.range.value)));
  player.phase = make('p', 'nf-phase', bar);
  const files = make('div', 'nf-files', bar);
  button(player, files, 'PNG', 'One step: save as PNG', savePng);
  button(player, files, 'CSV', 'One step: save as CSV', saveCsv);
  player.words = make('p', 'nf-words', root, { 'aria-live': 'polite' });
  player.stage = make('div', 'nf-picture', root, { role: 'figure', 'aria-label': 'Workers, what each holds, and the clock; told in words above' });
  player.states = unfold(scene);
}

function draw(player) {
  player.theme = readTheme(player.root);
  buildPicture(player);
  player.mark = '';
  show(player, Math.min(player.number, last(player)), player.part);
}

function open(root) {
  const player = { root, number: 0, part: 1, timer: 0, playing: false, width: 0 };
  player.onKey = event => onKey(player, event);
  root.addEventListener('keydown', player.onKey);
  player.sizes = new ResizeObserver(() => {
    if (!player.stage || root.clientWidth === player.width) return;
    player.width = root.clientWidth;
    draw(player);
  });
  player.sizes.observe(root);
  return player;
}

function close(player) {
  cancelAnimationFrame(player.timer);
  player.sizes.disconnect();
  player.root.removeEventListener('keydown', player.onKey);
  player.root.__nfPlayer = null;
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector('.nf-player'), player = (root.__nfPlayer ??= open(root));
  const text = JSON.stringify(data);
  try {
    if (player.text !== text) {
      if (player.playButton) stop(player);
      Object.assign(player, { text, scene: data, part: 1 });
      player.number = Math.min(player.number, last(player));
      build(player);
    }
    player.width = root.clientWidth;
    draw(player);
  } catch (problem) {
    console.warn('the player could not be drawn', problem);
    root.innerText = data.frames.map(frame => `${frame.phase}. ${frame.text}`).join('\n');
  }
  return () => setTimeout(() => { if (!root.isConnected) close(player); });
}
