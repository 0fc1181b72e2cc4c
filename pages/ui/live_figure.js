// One figure of the panel: colours, the first sketch, Plotly, and the direct edit of its paths.
const NARROW_PX = 480;
const FAR_PX = 1e6;
const SVG = 'http://www.w3.org/2000/svg';

// ---- colours -------------------------------------------------------------------------------
const cssValue = (element, name) => getComputedStyle(element).getPropertyValue(name).trim();

function isDark(element) {
  const probe = element.ownerDocument.createElement('i');
  probe.style.cssText = 'display:none;color:var(--st-background-color)';
  element.append(probe);
  const [red, green, blue] = getComputedStyle(probe).color.match(/[\d.]+/g).map(Number);
  probe.remove();
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}

// A copy of a spec with colour tokens replaced and packed arrays unpacked.
function resolve(node, scheme, numbers) {
  if (typeof node === 'string') return node.startsWith('var:') ? scheme.css(node.slice(4)) : node;
  if (Array.isArray(node)) return node.map(item => resolve(item, scheme, numbers));
  if (node === null || typeof node !== 'object') return node;
  if (node.$f) return numbers(node.$f);
  if ('light' in node && 'dark' in node) return resolve(node[scheme.dark ? 'dark' : 'light'], scheme, numbers);
  const copy = {};
  for (const name in node) copy[name] = resolve(node[name], scheme, numbers);
  return copy;
}

const isPlain = value => value && typeof value === 'object' && !Array.isArray(value) && !ArrayBuffer.isView(value);

function merged(under, over) {
  const result = { ...under };
  for (const name in over) {
    result[name] = isPlain(result[name]) && isPlain(over[name]) ? merged(result[name], over[name]) : over[name];
  }
  return result;
}

function layoutDefaults(scheme, height) {
  const [text, ground, grid] = ['--st-text-color', '--st-background-color', '--st-border-color-light'].map(scheme.css);
  const axis = { color: text, gridcolor: grid, zeroline: false };
  return {
    height, autosize: true, uirevision: 'kept', paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)',
    font: { color: text, family: scheme.css('--st-font') }, xaxis: axis, yaxis: axis,
    margin: { l: 56, r: 12, t: 8, b: 44 }, hoverlabel: { bgcolor: ground, font: { color: text } },
    dragmode: matchMedia('(pointer: coarse)').matches ? false : 'zoom',
  };
}

// ---- what a figure shows for a pick --------------------------------------------------------
function curve(panel, bound, pick, given) {
  if (!bound.ghost) return { xs: bound.x ? pick.row(bound.x) : panel.x, ys: pick.row(bound.y), shown: true };
  if (!pick.id && given?.y?.length) return { xs: given.x, ys: given.y, shown: true };
  return { xs: bound.x ? panel.base[bound.x] : panel.x, ys: panel.base[bound.y], shown: Boolean(pick.id) };
}

function isGap(value, isLog) {
  return !Number.isFinite(value) || (isLog && value <= 0);
}

// Plotly drops the node of a point it cannot place; a place outside the picture keeps it.
function outOfSight(axis) {
  const [low, high] = axis.range;
  const far = low - 20 * (high - low);
  return axis.type === 'log' ? 10 ** far : far;
}

function placedMarkers(trace, layout) {
  const logs = [layout.xaxis.type === 'log', layout.yaxis.type === 'log'];
  const hidden = Array.from(trace.x, (x, i) => isGap(x, logs[0]) || isGap(trace.y[i], logs[1]));
  trace.x = Array.from(trace.x, (x, i) => (hidden[i] ? outOfSight(layout.xaxis) : x));
  trace.y = Array.from(trace.y, (y, i) => (hidden[i] ? outOfSight(layout.yaxis) : y));
}

// The whole figure as Plotly takes it, its bound traces filled in.
function filled(panel, figure, pick) {
  const { scheme, numbers, head } = panel;
  const data = resolve(figure.spec.data, scheme, numbers);
  let layout = merged(layoutDefaults(scheme, head.height), resolve(figure.spec.layout, scheme, numbers));
  if (figure.narrow && figure.plot.clientWidth < NARROW_PX) layout = merged(layout, resolve(figure.narrow, scheme, numbers));
  const hidden = [];
  figure.given = {};
  for (const bound of figure.bound) {
    const trace = data[bound.trace];
    if (bound.ghost) figure.given[bound.trace] = { x: trace.x, y: trace.y, opacity: trace.opacity ?? 1 };
    const { xs, ys, shown } = curve(panel, bound, pick, trace);
    Object.assign(trace, { x: xs, y: ys });
    if (bound.ghost) Object.assign(trace, { hoverinfo: 'skip', hovertemplate: null });
    if (!shown) hidden.push(trace);
    if (trace.mode === 'markers') placedMarkers(trace, layout);
    else trace.line = { ...trace.line, simplify: false };
  }
  return { data, layout, hidden };
}

// ---- paths ---------------------------------------------------------------------------------
const clamp = pixel => Math.max(-FAR_PX, Math.min(FAR_PX, pixel));

function toPixel(axis, value) {
  if (isGap(value, axis.type === 'log')) return null;
  const pixel = axis.d2p(value);
  if (!Number.isFinite(pixel)) throw Error(`no place on the axis for ${value}`);
  return clamp(pixel);
}

function linePath(xs, ys, xAxis, yAxis) {
  let path = '', pen = 'M';
  for (let i = 0; i < ys.length; i++) {
    const x = toPixel(xAxis, xs[i]), y = toPixel(yAxis, ys[i]);
    if (x === null || y === null) { pen = 'M'; continue; }
    path += `${pen}${x.toFixed(2)},${y.toFixed(2)}`;
    pen = 'L';
  }
  return path;
}

function moveMarkers(group, xs, ys, xAxis, yAxis) {
  const nodes = group.querySelectorAll('.points path');
  if (nodes.length !== ys.length) throw Error('markers and values differ in number');
  nodes.forEach((node, i) => {
    const x = toPixel(xAxis, xs[i]), y = toPixel(yAxis, ys[i]);
    node.setAttribute('transform', x === null || y === null ? `translate(${-FAR_PX},0)` : `translate(${x.toFixed(2)},${y.toFixed(2)})`);
  });
}

function moveLine(group, xs, ys, xAxis, yAxis) {
  const [first, ...others] = group.querySelectorAll('path.js-line');
  if (!first) throw Error('the line has no path');
  first.setAttribute('d', linePath(xs, ys, xAxis, yAxis) || 'M0,0');
  others.forEach(node => node.setAttribute('d', 'M0,0'));
}

const axisOf = (layout, id) => layout[id[0] + 'axis' + id.slice(1)];

function moveTrace(panel, figure, bound, pick) {
  const { _fullLayout: layout, _fullData: traces } = figure.plot;
  const trace = traces[bound.trace];
  if (trace.visible !== true) return;                         // hidden through the legend
  const group = figure.plot.querySelector(`.trace${trace.uid}`);
  if (!group) throw Error('the trace is not drawn');
  const { xs, ys, shown } = curve(panel, bound, pick, figure.given[bound.trace]);
  const move = trace.mode === 'markers' ? moveMarkers : moveLine;
  move(group, xs, ys, axisOf(layout, trace.xaxis), axisOf(layout, trace.yaxis));
  if (bound.ghost) group.style.opacity = shown ? figure.given[bound.trace].opacity : 0;
}

// Plotly's own call, slower, for when its drawing cannot be edited.
function restyled(panel, figure, pick) {
  const { data } = filled(panel, figure, pick);
  const bound = figure.bound.map(item => item.trace);
  const of = name => bound.map(trace => data[trace][name]);
  return window.Plotly.restyle(figure.plot, { x: of('x'), y: of('y') }, bound);
}

function followRanges(panel, figure, pick) {
  const changes = {};
  for (const { axis, series } of figure.ranges) {
    const wanted = Array.from(pick.row(series)), shown = figure.shownRanges[axis];
    const present = figure.plot._fullLayout[axis + 'axis'].range;
    const zoomed = shown && shown.some((end, i) => Math.abs(end - present[i]) > 1e-6);
    if (zoomed || (shown ?? present).every((end, i) => Math.abs(end - wanted[i]) < 1e-6)) continue;
    changes[axis + 'axis.range'] = wanted;
    figure.shownRanges[axis] = wanted;
  }
  if (Object.keys(changes).length) window.Plotly.relayout(figure.plot, changes);
}

function moveFigure(panel, figure, pick) {
  if (!figure.drawn) return sketch(panel, figure, pick);
  try {
    followRanges(panel, figure, pick);
    for (const bound of figure.bound) moveTrace(panel, figure, bound, pick);
  } catch (problem) {
    figure.slow = true;
    restyled(panel, figure, pick);
  }
}

// ---- the whole figure ----------------------------------------------------------------------
function drawFigure(panel, figure, pick) {
  if (!window.Plotly || panel.gone) return sketch(panel, figure, pick);
  const { data, layout } = filled(panel, figure, panel.basePick);
  figure.shownRanges = Object.fromEntries(figure.ranges.map(({ axis }) => [axis, layout[axis + 'axis'].range]));
  figure.slow = false;
  const config = { displayModeBar: false, scrollZoom: false, doubleClick: 'reset', responsive: false };
  return window.Plotly.react(figure.plot, data, layout, config).then(() => {
    if (figure.drawn || panel.gone) return;
    figure.drawn = true;
    figure.sketch.replaceChildren();
    figure.plot.on('plotly_afterplot', () => afterPlot(panel, figure));
    afterPlot(panel, figure);
  });
}

// Plotly has drawn what the server sent: a ghost without values is hidden (its legend entry stays,
// so that nothing jumps), and a slider that is elsewhere by now is drawn on top.
function afterPlot(panel, figure) {
  if (figure.slow) return;
  const pick = panel.pick();
  if (pick.id) return moveFigure(panel, figure, pick);
  try {
    for (const bound of figure.bound) if (bound.ghost) moveTrace(panel, figure, bound, pick);
  } catch (problem) {
    console.warn('the previous setting could not be drawn', problem);
  }
}

// ---- the first picture, before Plotly is here ----------------------------------------------
function sketchAxis(axis, from, to) {
  const isLog = axis.type === 'log', [low, high] = axis.range ?? [0, 1];
  const place = value => (isLog ? Math.log10(value) : value);
  return { type: axis.type, d2p: value => from + ((place(value) - low) / (high - low)) * (to - from) };
}

function svgNode(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text) node.textContent = text;
  return node;
}

function sketchTicks(layout, xAxis, yAxis, frame, ink) {
  const nodes = [];
  const label = (x, y, anchor, text) => nodes.push(svgNode('text', { x, y, fill: ink, 'font-size': 12, 'text-anchor': anchor }, text));
  (layout.xaxis.tickvals ?? []).forEach((value, i) => label(xAxis.d2p(value), frame.bottom + 18, 'middle', layout.xaxis.ticktext?.[i] ?? value));
  (layout.yaxis.tickvals ?? []).forEach((value, i) => label(frame.left - 6, yAxis.d2p(value) + 4, 'end', layout.yaxis.ticktext?.[i] ?? value));
  return nodes;
}

function sketchTrace(trace, xAxis, yAxis) {
  const colour = trace.line?.color ?? trace.marker?.color ?? 'currentColor';
  if (trace.mode !== 'markers') {
    const fill = trace.fill === 'toself' ? trace.fillcolor : 'none', width = trace.line?.width ?? 2;
    return [svgNode('path', { d: linePath(trace.x, trace.y, xAxis, yAxis), fill, stroke: colour, 'stroke-width': width })];
  }
  return Array.from(trace.x, (x, i) => svgNode('circle', { cx: toPixel(xAxis, x) ?? -99, cy: toPixel(yAxis, trace.y[i]) ?? -99, r: 5, fill: colour }));
}

function sketch(panel, figure, pick) {
  const { data, layout, hidden } = filled(panel, figure, pick);
  const width = figure.plot.clientWidth, { l, r, t, b } = layout.margin;
  const frame = { left: l, right: width - r, top: t, bottom: layout.height - b };
  const xAxis = sketchAxis(layout.xaxis, frame.left, frame.right), yAxis = sketchAxis(layout.yaxis, frame.bottom, frame.top);
  const lines = data.filter(trace => (trace.type ?? 'scatter') === 'scatter' && trace.x?.length && trace.visible !== false && !hidden.includes(trace));
  const svg = svgNode('svg', { width, height: layout.height, 'aria-hidden': 'true' });
  const opening = svgNode('svg', { x: 0, y: frame.top, width: frame.right, height: frame.bottom - frame.top, viewBox: `0 ${frame.top} ${frame.right} ${frame.bottom - frame.top}` });
  opening.append(...lines.flatMap(trace => sketchTrace(trace, xAxis, yAxis)));
  const edge = `M${frame.left},${frame.top}V${frame.bottom}H${frame.right}`;
  svg.append(svgNode('path', { d: edge, fill: 'none', stroke: panel.scheme.css('--st-border-color') }), opening,
    ...sketchTicks(layout, xAxis, yAxis, frame, panel.scheme.css('--st-text-color')));
  figure.sketch.replaceChildren(svg);
}
