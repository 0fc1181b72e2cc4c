// The player's picture: hosts in a ring, a heat strip for each, and lanes on the step's clock.
const SVG = 'http://www.w3.org/2000/svg';
const WIDE_PX = 720, FONT = 12, LABEL = 66;

function shape(tag, parent, attributes = {}, text) {
  const node = document.createElementNS(SVG, tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

const attr = (node, name, value) => { if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value); };

// ---- colours ---------------------------------------------------------------------------------
function readTheme(root) {
  const css = name => getComputedStyle(root).getPropertyValue(name).trim();
  const probe = root.appendChild(document.createElement('i'));
  probe.style.color = 'var(--st-background-color)';
  const [r, g, b] = getComputedStyle(probe).color.match(/[\d.]+/g).map(Number);
  probe.remove();
  const dark = 0.299 * r + 0.587 * g + 0.114 * b < 128;
  return {
    dark, text: css('--st-text-color'), ground: css('--st-background-color'), line: css('--st-border-color'),
    font: css('--st-font'), accent: css('--st-primary-color'), pair: value => value[dark ? 'dark' : 'light'],
  };
}

// Slate below zero, gold above, the ground at zero; the square root keeps small values visible.
function heat(theme, value, largest) {
  const part = largest > 0 ? Math.sqrt(Math.min(Math.abs(value) / largest, 1)) : 0;
  const from = theme.dark ? [32, 40, 52] : [243, 245, 248];
  const to = value < 0 ? (theme.dark ? [163, 184, 214] : [42, 58, 82]) : (theme.dark ? [240, 196, 70] : [150, 108, 0]);
  return `rgb(${from.map((c, i) => Math.round(c + (to[i] - c) * part)).join(',')})`;
}

// ---- layout ----------------------------------------------------------------------------------
function measure(scene, width) {
  const hosts = scene.names.length, wide = width >= WIDE_PX, ring = wide ? Math.min(240, width * 0.34) : Math.min(width, 240);
  const row = hosts > 8 ? 13 : 22, stripX = wide ? ring + 24 : 0, stripY = wide ? 22 : ring + 30;
  const laneY = Math.max(wide ? ring : 0, stripY + hosts * row) + 52;
  const lane = scene.lanes.length > 9 ? 9 : 14;
  return { width, wide, ring, row, stripX, stripY, laneY, lane, height: laneY + scene.lanes.length * lane + 26 };
}

function place(box, number, hosts) {
  const angle = 2 * Math.PI * number / hosts - Math.PI / 2, radius = box.ring / 2 - 18;
  const middle = box.wide ? box.ring / 2 : box.width / 2;
  return [middle + radius * Math.cos(angle), box.ring / 2 + radius * Math.sin(angle)];
}

// ---- build -----------------------------------------------------------------------------------
function buildPicture(player) {
  const { scene, theme } = player, box = player.box = measure(scene, Math.max(player.stage.clientWidth, 280));
  player.stage.replaceChildren();
  const given = { viewBox: `0 0 ${box.width} ${box.height}`, height: box.height, 'font-size': FONT, 'font-family': theme.font, fill: theme.text, 'aria-hidden': 'true' };
  const svg = player.svg = shape('svg', player.stage, given);
  // What moves has a layer of its own, so that the browser does not paint the rest again each frame.
  player.top = shape('svg', player.stage, { ...given, class: 'nf-moving-layer' });
  buildRing(player, svg);
  buildStrips(player, svg);
  buildLanes(player, svg);
}

function buildRing(player, svg) {
  const { scene, theme, box, top } = player, hosts = scene.names.length, half = hosts > 8 ? 4 : 6;
  player.spots = scene.names.map((_, k) => place(box, k, hosts));
  player.paths = shape('g', svg, { stroke: theme.line, 'stroke-width': 1.5 });
  for (const [cx, cy] of player.spots) shape('circle', svg, { cx, cy, r: hosts > 8 ? 12 : 16, fill: theme.ground, stroke: theme.text, 'stroke-width': 1.5 });
  const most = Math.max(1, ...scene.frames.map(frame => frame.moves.length));
  player.chunks = Array.from({ length: most }, () => shape('rect', top, {
    x: -half, y: 1 - half, width: 2 * half, height: 2 * half - 2, rx: 2, fill: theme.accent, stroke: theme.ground, visibility: 'hidden',
  }));
  const text = { 'text-anchor': 'middle', 'font-weight': 600 };
  player.spots.forEach(([x, y], k) => shape('text', top, { x, y: y + 4, ...text }, k < scene.workers ? k + 1 : 'S'));
}

function buildStrips(player, svg) {
  const { scene, theme, box } = player, entries = scene.gradients[0].length, left = box.stripX + LABEL + 44;
  const cell = (player.room = box.width - left) / entries;
  player.stripTitle = shape('text', svg, { x: box.stripX, y: box.stripY - 9, 'font-weight': 600 });
  player.notes = [];
  player.amounts = scene.names.map((_, k) => shape('rect', svg, {
    x: left, y: box.stripY + k * box.row + 2, height: box.row - 4, width: 0, fill: theme.text, opacity: 0.65,
  }));
  player.cells = scene.names.map((name, k) => {
    const y = box.stripY + k * box.row;
    shape('text', svg, { x: box.stripX, y: y + box.row / 2 + 4 }, name);
    player.notes.push(shape('text', svg, { x: left - 6, y: y + box.row / 2 + 4, 'text-anchor': 'end' }));
    return Array.from({ length: entries }, (_, e) => {
      const node = shape('rect', svg, { x: left + e * cell, y: y + 1, width: Math.max(cell - 1, 1), height: box.row - 2, stroke: theme.line, 'stroke-width': 0.5 });
      node.hint = shape('title', node);
      return node;
    });
  });
}

function buildLanes(player, svg) {
  const { scene, theme, box } = player, left = LABEL + 4, span = box.width - left - 8;
  const y0 = box.laneY, bottom = y0 + scene.lanes.length * box.lane;
  shape('text', svg, { x: 0, y: y0 - 27, 'font-weight': 600 }, `The situation's step on the clock: ${scene.total_text}`);
  buildLegend(player, svg, y0 - 9);
  for (const [at, text] of scene.ticks) {
    shape('line', svg, { x1: left + at * span, x2: left + at * span, y1: y0, y2: bottom, stroke: theme.line });
    shape('text', svg, { x: left + at * span, y: bottom + 16, 'text-anchor': at ? 'middle' : 'start' }, text);
  }
  player.bars = [];
  scene.lanes.forEach((lane, number) => {
    const y = y0 + number * box.lane, isNamed = box.lane >= FONT || (number % 3 === 0 && number < scene.lanes.length - 2) || number === scene.lanes.length - 1;
    if (isNamed) shape('text', svg, { x: 0, y: y + box.lane / 2 + 4 }, lane.name);
    for (const [kind, start, end, bucket] of lane.bars) {
      const { name, colour } = scene.kinds[kind];
      const bar = shape('rect', svg, { x: left + start * span, y: y + 1, width: Math.max((end - start) * span - 0.5, 0.5), height: box.lane - 2, fill: theme.pair(colour) });
      shape('title', bar, {}, `${lane.name}: ${name}${bucket >= 0 ? `, bucket ${bucket + 1}` : ''}`);
      player.bars.push({ bar, start, end });
    }
  });
  player.cursor = shape('line', player.top, { y1: y0 - 4, y2: bottom + 2, stroke: theme.text, 'stroke-width': 2 });
  player.clock = at => left + at * span;
}

function buildLegend(player, svg, y) {
  const { scene, theme, box } = player, used = new Set(scene.lanes.flatMap(({ bars }) => bars.map(([kind]) => kind)));
  let x = 0;
  for (const kind of Object.keys(scene.kinds).filter(key => used.has(key))) {
    const { name, colour } = scene.kinds[kind], wide = 22 + 6.3 * name.length;
    if (x + wide > box.width) break;
    shape('rect', svg, { x, y: y - 9, width: 10, height: 10, fill: theme.pair(colour) });
    shape('text', svg, { x: x + 14, y }, name);
    x += wide + 4;
  }
}

// ---- what is held ----------------------------------------------------------------------------
// States after each frame, from what each message changed; the first are the workers' own.
function unfold(scene) {
  let held = scene.weighted.map(row => row.slice());
  return scene.frames.map(frame => {
    if (frame.changes.length) held = held.map(row => row.slice());
    for (const [host, start, values] of frame.changes) values.forEach((value, i) => { held[host][start + i] = value; });
    return held;
  });
}

const TITLES = {
  counts: 'Samples of each worker', losses: 'Loss of each worker on its own samples', gradients: 'Gradient of each worker',
  held: 'What each holds of the sum', moved: 'How far each moves its weights',
};

function rowsOf(player, number, shows = player.scene.frames[number].shows) {
  const { scene } = player;
  return { held: player.states[number], gradients: scene.gradients, moved: scene.moved }[shows] ?? null;
}

// ---- show one frame --------------------------------------------------------------------------
function showFrame(player, number, arrived) {
  const { scene, theme } = player, frame = scene.frames[number];
  // A chunk is held only once it has arrived; until then the strip shows what was held before.
  const shown = rowsOf(player, frame.shows === 'held' && !arrived ? number - 1 : number, frame.shows);
  const largest = Math.max(0, ...(shown ?? []).flat().map(Math.abs));
  const touched = new Set(frame.moves.flatMap(([, to, start, stop]) => Array.from({ length: stop - start }, (_, i) => `${to}/${start + i}`)));
  player.stripTitle.textContent = TITLES[frame.shows];
  player.cells.forEach((cells, k) => cells.forEach((cell, e) => {
    const value = shown?.[k]?.[e];
    attr(cell, 'visibility', value === undefined ? 'hidden' : 'visible');
    if (value !== undefined) attr(cell, 'fill', heat(theme, value, largest));
    const isNew = arrived && touched.has(`${k}/${e}`);
    attr(cell, 'stroke', isNew ? theme.text : theme.line);
    attr(cell, 'stroke-width', isNew ? 1.5 : 0.5);
    cell.hint.textContent = value === undefined ? '' : `${scene.names[k]}, entry ${e + 1}: ${value}`;
  }));
  const amounts = { counts: scene.counts, losses: scene.losses.map(Number) }[frame.shows];
  player.amounts.forEach((bar, k) => attr(bar, 'width', amounts?.[k] ? player.room * amounts[k] / Math.max(...amounts) : 0));
  player.notes.forEach((note, k) => {
    note.textContent = k >= scene.workers ? '' : frame.shows === 'losses' ? scene.losses[k] : scene.counts[k];
  });
  showPaths(player, frame);
}

function showPaths(player, frame) {
  player.paths.replaceChildren();
  for (const [from, to] of frame.moves) {
    const [[x1, y1], [x2, y2]] = [player.spots[from], player.spots[to]];
    shape('line', player.paths, { x1, y1, x2, y2 });
  }
  player.chunks.forEach((chunk, i) => attr(chunk, 'visibility', frame.moves[i] && frame.moves[i][3] > frame.moves[i][2] ? 'visible' : 'hidden'));
}

const eased = part => part * part * (3 - 2 * part);

// The part of a frame that moves: chunks along their paths and the cursor on the clock.
function showPart(player, number, part) {
  const frame = player.scene.frames[number], way = 0.12 + 0.76 * eased(part);
  frame.moves.forEach(([from, to], i) => {
    const [[x1, y1], [x2, y2]] = [player.spots[from], player.spots[to]];
    player.chunks[i].setAttribute('transform', `translate(${(x1 + (x2 - x1) * way).toFixed(1)},${(y1 + (y2 - y1) * way).toFixed(1)})`);
  });
  const now = frame.start + (frame.end - frame.start) * part, x = player.clock(now).toFixed(1);
  player.cursor.setAttribute('transform', `translate(${x},0)`);
  for (const item of player.bars) {
    const passed = item.start < now - 1e-9 || now >= 1;
    if (item.passed !== passed) item.bar.setAttribute('opacity', passed ? 1 : 0.28);
    item.passed = passed;
  }
}
