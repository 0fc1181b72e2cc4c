// The live panel: headline numbers, one sentence, figures. It follows the page's own sliders while
// they are dragged, from families of values that came with the last answer of the server.

// ---- data ----------------------------------------------------------------------------------
// uint32 length of the header, header (JSON, padded to 4 bytes), float32 numbers.
function decode(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const floats = new Float32Array(bytes.slice(4 + size).buffer);
  const rows = ([start, count, width]) =>
    Array.from({ length: count }, (_, i) => floats.subarray(start + i * width, start + (i + 1) * width));
  const numbers = reference => (reference[3] === 1 ? rows(reference)[0] : rows(reference).map(row => Array.from(row)));
  return { head, rows, numbers };
}

const sameBytes = (a, b) => a?.length === b.length && a.every((byte, i) => byte === b[i]);

function take(panel, bytes) {
  const { head, rows, numbers } = decode(bytes);
  const first = references => Object.fromEntries(Object.entries(references).map(([name, at]) => [name, rows(at)[0]]));
  const families = head.knobs.map(knob => ({
    ...knob, rows: Object.fromEntries(Object.entries(knob.series).map(([name, at]) => [name, rows(at)])),
  }));
  Object.assign(panel, { bytes: bytes.slice(), head, numbers, families, base: first(head.base), x: rows(head.x)[0] });
  panel.basePick = { id: '', row: name => panel.base[name], values: head.values, notice: head.notice };
}

// ---- which setting the sliders show now ----------------------------------------------------
function sliderIndex(knob) {
  const slider = document.querySelector(`.st-key-${knob.key} input[type=range]`);
  const index = slider ? knob.labels.indexOf(slider.getAttribute('aria-valuetext')) : -1;
  return index < 0 ? knob.index : index;
}

function pickNow(panel) {
  if (panel.deaf) return panel.basePick;
  const moved = panel.families.filter(knob => sliderIndex(knob) !== knob.index);
  const knob = moved.find(item => item.key === panel.last) ?? moved[0];
  if (!knob) return panel.basePick;
  const index = sliderIndex(knob);
  return {
    id: `${knob.key}/${index}`, row: name => knob.rows[name]?.[index] ?? panel.base[name],
    values: knob.texts[index], notice: knob.notices?.[index] ?? null,
  };
}

function giveUp(panel, problem) {
  panel.deaf = true;
  panel.observer?.disconnect();
  console.warn('the picture no longer follows the sliders while they are dragged', problem);
}

function safePick(panel) {
  try { return pickNow(panel); } catch (problem) { giveUp(panel, problem); return panel.basePick; }
}

function onMove(panel, mutations) {
  for (const { target } of mutations) {
    const knob = panel.families.find(({ key }) => target.closest('.st-key-' + key));
    if (knob) { panel.last = knob.key; follow(panel); return; }
  }
}

// The picture is drawn in the observer's own callback: waiting for a frame would show it one later.
function follow(panel) {
  const pick = pickNow(panel);
  if (pick.id === panel.shownId) return;
  panel.shownId = pick.id;
  say(panel, pick);
  for (const figure of panel.figures) moveFigure(panel, figure, pick);
}

function listen(panel) {
  panel.observer = new MutationObserver(mutations => {
    try { onMove(panel, mutations); } catch (problem) { giveUp(panel, problem); }
  });
  panel.observer.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['aria-valuetext'] });
}

// ---- words ---------------------------------------------------------------------------------
const put = (node, text) => { if (node.textContent !== text) node.textContent = text; };

function say(panel, pick) {
  const { values, notice } = pick, isMessage = typeof values === 'string';
  panel.root.classList.toggle('nf-moving', Boolean(pick.id));
  panel.root.classList.toggle('nf-impossible', isMessage);
  put(panel.message, isMessage ? values : '');
  if (!isMessage) panel.values.forEach((node, i) => put(node, values[i] ?? ''));
  panel.notice.classList.toggle('nf-dim', notice === null);
  if (notice !== null) put(panel.notice, notice);
}

// Screen readers hear the settled numbers once, not every step of a drag.
function announce(panel) {
  const { labels, values } = panel.head;
  const text = typeof values === 'string' ? values : labels.map((label, i) => `${label}: ${values[i]}`).join(', ');
  if (panel.said !== undefined && panel.said !== text) put(panel.status, text);
  panel.said = text;
}

// ---- files ---------------------------------------------------------------------------------
function save(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const quoted = text => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const digits = value => (Number.isFinite(value) ? String(Number(value.toPrecision(6))) : '');

function columnValues(panel, pick, { values, numbers }) {
  if (numbers) return panel.numbers(numbers.$f);
  return values === 'x' ? panel.x : pick.row(values);
}

function saveCsv(panel, figure) {
  const pick = safePick(panel);
  const columns = figure.csv.map(column => columnValues(panel, pick, column));
  const lines = [figure.csv.map(({ header }) => quoted(header)).join(',')];
  for (let i = 0; i < columns[0].length; i++) lines.push(columns.map(column => digits(column[i])).join(','));
  save(`${figure.fileName}.csv`, lines.join('\r\n') + '\r\n');
}

function savePng(panel, figure) {
  const { data, layout, hidden } = filled(panel, figure, safePick(panel));
  for (const trace of hidden) trace.visible = false;
  const image = { ...layout, paper_bgcolor: panel.scheme.dark ? '#000000' : '#ffffff', title: { text: figure.title, x: 0.02, xanchor: 'left' } };
  image.margin = { ...layout.margin, t: layout.margin.t + 40 };
  const size = { width: Math.max(figure.plot.clientWidth, 640), height: layout.height + 40, scale: 2 };
  return window.Plotly.downloadImage({ data, layout: { ...image, ...size } }, { format: 'png', filename: figure.fileName, ...size });
}

// ---- the page's nodes ----------------------------------------------------------------------
function make(tag, className, parent, attributes = {}) {
  const node = document.createElement(tag);
  node.className = className;
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  parent.append(node);
  return node;
}

function button(parent, text, label, action) {
  const node = make('button', 'nf-button', parent, { type: 'button', 'aria-label': label });
  node.textContent = text;
  node.addEventListener('click', action);
  return node;
}

function buildFigure(panel, parent, given, number) {
  const box = make('div', 'nf-figure', parent, { role: 'figure', id: `nf-${given.id}` });
  const bar = make('div', 'nf-bar', box), figure = { box, number, ranges: [], bound: [] };
  figure.caption = make('p', 'nf-title', bar);
  figure.pngButton = button(bar, 'PNG', '', () => savePng(panel, figure));
  figure.csvButton = button(bar, 'CSV', '', () => saveCsv(panel, figure));
  const stage = make('div', 'nf-stage', box, { 'aria-hidden': 'true' });     // the label says it
  figure.sketch = make('div', 'nf-sketch', stage);
  figure.plot = make('div', 'nf-plot', stage);
  return figure;
}

function build(panel) {
  const { root, head } = panel;
  for (const figure of panel.figures ?? []) window.Plotly?.purge(figure.plot);
  root.replaceChildren();
  make('style', '', root).textContent = STYLE;
  const top = make('div', 'nf-top', root), list = make('dl', 'nf-headline', top, { 'aria-live': 'off' });
  panel.values = head.labels.map((label, i) => {
    const cell = make('div', 'nf-cell', list);
    make('dt', '', cell).textContent = label;
    if (head.hints[i]) cell.title = head.hints[i];
    return make('dd', '', cell);
  });
  panel.message = make('p', 'nf-message', top);
  panel.notice = make('p', 'nf-notice', root);
  panel.status = make('p', 'nf-status', root, { role: 'status' });
  const row = make('div', 'nf-figures', root);
  panel.figures = head.figures.map((figure, number) => buildFigure(panel, row, figure, number));
}

function fit(panel) {
  const { head } = panel;
  head.figures.forEach((given, number) => {
    const figure = Object.assign(panel.figures[number], given);
    figure.bound = head.bound.filter(item => item.figure === number);
    figure.ranges = head.ranges.filter(item => item.figure === number);
    figure.box.setAttribute('aria-label', given.alt);
    figure.caption.textContent = given.title;
    figure.plot.parentElement.style.height = `${head.height}px`;
    figure.pngButton.setAttribute('aria-label', `${given.title}: save as PNG`);
    figure.csvButton.setAttribute('aria-label', `${given.title}: save as CSV`);
    figure.pngButton.hidden = !window.Plotly;
    figure.csvButton.hidden = !given.csv;
  });
}

// ---- Plotly, the theme, the size -----------------------------------------------------------
const WAIT_MS = 250, WAIT_TURNS = 120;

async function nativePlotly() {
  for (let turn = 0; turn < WAIT_TURNS && !window.Plotly; turn++) await new Promise(next => setTimeout(next, WAIT_MS));
  if (!window.Plotly) throw Error('no plotly.js on this page');
}

function loadPlotly(url) {
  if (!url) return nativePlotly();
  return (window.__nfPlotly ??= new Promise((resolved, failed) => {
    const script = document.createElement('script');
    script.src = new URL(url, document.baseURI).href;
    script.onload = resolved;
    script.onerror = () => { window.__nfPlotly = undefined; failed(Error('plotly.js did not load')); };
    document.head.append(script);
  }));
}

function readScheme(panel) {
  const css = name => cssValue(panel.root, name), dark = isDark(panel.root);
  panel.scheme = { css, dark, mark: [dark, ...['--st-text-color', '--st-background-color', '--st-font'].map(css)].join() };
}

function watchSize(panel) {
  let width = panel.root.clientWidth;
  panel.sizes = new ResizeObserver(() => {
    const now = panel.root?.clientWidth;
    if (!now || now === width) return;                        // gone, hidden, or only its height changed
    width = now;
    drawAll(panel);
  });
  panel.sizes.observe(panel.root);
}

function resized(figure) {
  window.Plotly.Plots.resize(figure.plot).catch(problem => console.warn('a figure kept its size', problem));
}

function drawAll(panel) {
  const pick = safePick(panel);
  panel.shownId = pick.id;
  say(panel, pick);
  for (const figure of panel.figures) {
    if (figure.drawn && figure.plot.clientWidth !== figure.width) resized(figure);
    figure.width = figure.plot.clientWidth;
    drawFigure(panel, figure, pick);
  }
}

function close(panel) {
  panel.gone = true;
  panel.observer?.disconnect();
  panel.sizes?.disconnect();
  for (const { plot } of panel.figures ?? []) window.Plotly?.purge(plot);
  panel.root.__nf = null;
  for (const name in panel) if (name !== 'gone') panel[name] = null;
}

// ---- entry ---------------------------------------------------------------------------------
const outline = head => JSON.stringify([head.labels, head.figures.map(figure => figure.id)]);

function show(panel, bytes) {
  const before = panel.scheme?.mark;
  readScheme(panel);
  const isNews = !sameBytes(panel.bytes, bytes);
  if (!isNews && before === panel.scheme.mark) return;
  if (isNews) take(panel, bytes);
  if (panel.outline !== outline(panel.head)) build(panel);
  panel.outline = outline(panel.head);
  fit(panel);
  drawAll(panel);
  announce(panel);
}

function open(root) {
  const panel = { root, last: '', deaf: false };
  panel.pick = () => safePick(panel);
  listen(panel);
  return panel;
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector('.nf-panel');
  const isNew = !root.__nf, panel = (root.__nf ??= open(root));
  try {
    show(panel, data);
    if (isNew) {
      watchSize(panel);
      if (!window.Plotly) loadPlotly(panel.head.plotly)
        .then(() => { if (!panel.gone) { fit(panel); drawAll(panel); } })
        .catch(problem => console.warn('the figures stay simple', problem));
    }
  } catch (problem) {
    console.warn('the panel could not be drawn', problem);
  }
  return () => setTimeout(() => { if (!panel.gone && !root.isConnected) close(panel); });
}
