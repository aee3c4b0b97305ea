/**
 * GDScript as its grammar reads it. No machine of the tests has Godot 4: what it could not read is found, and nothing
 * of what it would do.
 */

import type { SyntaxNode } from 'tree-sitter';

type ParseScript = (source: string) => SyntaxNode;

/** Undefined on a machine that the packages of the grammar have no binary for. */
export async function loadGrammar(): Promise<ParseScript | undefined> {
  try {
    const [{ default: Parser }, { default: language }] = await Promise.all([
      import('tree-sitter'),
      import('tree-sitter-gdscript'),
    ]);
    const parser = new Parser();
    parser.setLanguage(language);
    return (source) => parser.parse(source).rootNode;
  } catch (error) {
    if (process.env['CI']) throw error;
    return undefined;
  }
}

/** The nodes that `isWanted`, in the order of the source. */
function nodesOf(root: SyntaxNode, isWanted: (node: SyntaxNode) => boolean): SyntaxNode[] {
  const inside = root.children.flatMap((child) => nodesOf(child, isWanted));
  return isWanted(root) ? [root, ...inside] : inside;
}

/** `line: text`, as a test shows where something is wrong. */
function placeOf({ startPosition, text }: SyntaxNode): string {
  return `${startPosition.row + 1}: ${text.split('\n')[0]!}`;
}

/** What is no GDScript. */
export function faultsOf(root: SyntaxNode): string[] {
  return nodesOf(root, (node) => node.type === 'ERROR' || node.isMissing).map(placeOf);
}

const PARAMETERS = /^(default_parameter|parameters)$/;
/** The field that has the type. */
const TYPED: Readonly<Record<string, string>> = {
  function_definition: 'return_type',
  lambda: 'return_type',
  variable_statement: 'type',
  for_statement: 'type',
};

/** What has no type: variables, parameters, and results of functions. */
export function untypedIn(root: SyntaxNode): string[] {
  const untyped = nodesOf(root, (node) => {
    if (PARAMETERS.test(node.parent?.type ?? '')) return node.type === 'identifier';
    const field = TYPED[node.type];
    return field !== undefined && node.childForFieldName(field) === null;
  });
  return untyped.map(placeOf);
}

const DECLARED =
  /^(function_definition|(variable|const|signal|class_name)_statement|(enum|class)_definition)$/;

/** What is public, stands at the top of a script, and has no doc comment. */
export function undocumentedIn(root: SyntaxNode): string[] {
  const statements = root.namedChildren;
  return statements
    .filter((node, index) => {
      const name = node.childForFieldName('name')?.text ?? '';
      if (!DECLARED.test(node.type) || name.startsWith('_')) return false;
      // The comment of a script stands behind its first two statements.
      if (node.type === 'class_name_statement') return !/^## /m.test(root.text);
      return !statements[index - 1]?.text.startsWith('##');
    })
    .map(placeOf);
}
