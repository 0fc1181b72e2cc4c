// Put the events of a step in order: any order is right that breaks no rule, and a wrong one says why.
function make(tag, className, parent, text) {
  const node = document.createElement(tag);
  node.className = className;
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

function move(game, from, to, focus) {
  const [event] = game.events.splice(from, 1);
  game.events.splice(to, 0, event);
  list(game);
  const buttons = game.list.children[to].querySelectorAll('button'), wanted = buttons[focus];
  (wanted.disabled ? buttons[1 - focus] : wanted).focus();
  game.answer.textContent = `${event.text}: now place ${to + 1} of ${game.events.length}.`;
}

function arrow(game, row, number, by, text, name) {
  const node = make('button', '', row, text), to = number + by;
  node.type = 'button';
  node.setAttribute('aria-label', `${name}: ${game.events[number].text}`);
  node.disabled = to < 0 || to >= game.events.length;
  node.addEventListener('click', () => move(game, number, to, by < 0 ? 0 : 1));
}

function list(game) {
  game.list.replaceChildren();
  game.events.forEach((event, number) => {
    const row = make('li', game.wrong.includes(event.key) ? 'nf-wrong' : '', game.list);
    make('span', '', row, `${number + 1}. ${event.text}`);
    arrow(game, row, number, -1, 'Up', 'Move up');
    arrow(game, row, number, 1, 'Down', 'Move down');
  });
  game.wrong = [];
}

function check(game) {
  const at = Object.fromEntries(game.events.map((event, i) => [event.key, i]));
  const broken = game.rules.filter(([before, after]) => at[before] > at[after]);
  game.wrong = broken.length ? broken[0].slice(0, 2) : [];
  list(game);
  const more = broken.length > 1 ? ` (${broken.length - 1} more to put right)` : '';
  game.answer.textContent = broken.length ? `Not yet: ${broken[0][2]}${more}` : game.praise;
}

function start(game) {
  const { root } = game;
  root.replaceChildren();
  make('style', '', root, STYLE);
  game.list = make('ol', '', root);
  const button = make('button', '', root, 'Check the order');
  button.type = 'button';
  button.addEventListener('click', () => check(game));
  game.answer = make('p', '', root);
  game.answer.setAttribute('role', 'status');
  list(game);
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector('.nf-order'), text = JSON.stringify(data);
  if (root.__nfText === text) return;
  root.__nfText = text;
  start({ root, events: [...data.events], rules: data.rules, praise: data.praise, wrong: [] });
}
