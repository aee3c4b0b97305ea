/** The small faults that a file of TypeScript or Lua can have: what `npm run mutations` takes its sample from. */

import ts from 'typescript-5';

const OPPOSITES = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '&&': '||', '||': '&&' };
const IN_LUA = { ' < ': ' <= ', ' > ': ' >= ', ' == ': ' ~= ', ' and ': ' or ', 'if not ': 'if ' };

/** Each has its `line`, where `after` stands for `before`, at character `at`. A dropped statement has no `after`. */
export function possibleFaults(file, text) {
  const found = [];
  const add = (at, before, after) => {
    const end = text.indexOf('\n', at);
    const line = text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end).trim();
    if (!line.startsWith('--')) found.push({ file, line, before, after, at });
  };
  if (file.endsWith('.lua')) {
    for (const [before, after] of Object.entries(IN_LUA))
      for (const { index } of text.matchAll(new RegExp(before, 'g'))) add(index, before, after);
    for (const { index, 0: call } of text.matchAll(/^ *redis\.call\(.*\)$/gm)) add(index, call, '');
    return found;
  }
  const change = (node, after) => add(node.getStart(), node.getText(), after);
  const visit = (node) => {
    if (ts.isTypeNode(node)) return;
    if (ts.isIfStatement(node) || ts.isWhileStatement(node))
      change(node.expression, `!(${node.expression.getText()})`);
    if (ts.isConditionalExpression(node)) change(node.condition, `!(${node.condition.getText()})`);
    if (ts.isExpressionStatement(node) && !node.getText().startsWith('super')) change(node, '');
    if (node.kind === ts.SyntaxKind.TrueKeyword) change(node, 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) change(node, 'true');
    if (ts.isNumericLiteral(node) && node.parent.name !== node) change(node, `${node.text} + 1`);
    const opposite = ts.isBinaryExpression(node) ? OPPOSITES[node.operatorToken.getText()] : undefined;
    if (opposite !== undefined) change(node, `${node.left.getText()} ${opposite} ${node.right.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}
