/** The completions of the program in bash, zsh and fish: each has a table of all commands, and reads it alike. */

import type { DescribedCommand, DescribedOption } from './commands.ts';

/** The command, and those below it. */
function family(command: DescribedCommand): readonly DescribedCommand[] {
  return [command, ...command.commands.flatMap(family)];
}

/** The options that a command takes, `gsls` having these. */
function optionsOf({ options, isOfService }: DescribedCommand, all: readonly DescribedOption[]): typeof all {
  const names = options.flatMap((option) => option.names);
  return [...options, ...(isOfService ? all.filter((option) => !names.includes(option.names[0]!)) : [])];
}

/** Its last word, by which the command above it calls it. */
function lastWord({ words }: DescribedCommand): string {
  return words.slice(words.lastIndexOf(' ') + 1);
}

/** As much of a description as fits into a line: up to its first pause. */
function brief(description: string): string {
  return description.split(/[;:]\s|\n| \(/, 1)[0]!;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Each option is a word: `--json` is a switch, `--port=` takes a text, `--config=@` a path, `--mode=a|b` a or b. */
function bashWord({ names, argument, isPath, choices }: DescribedOption): string {
  const long = names.at(-1)!;
  if (argument === undefined) return long;
  return `${long}=${isPath ? '@' : choices.join('|')}`;
}

export function bashCompletion(program: DescribedCommand): string {
  const cases = family(program).map(
    (command) =>
      `    ${quoted(command.words)}) commands=${quoted(command.commands.map(lastWord).join(' '))}` +
      ` options=${quoted(optionsOf(command, program.options).map(bashWord).join(' '))} ;;`,
  );
  return `# The completion of gsls in bash, made from its commands and options.
_gsls_command() {
  case $1 in
${cases.join('\n')}
  esac
}

_gsls() {
  local current=\${COMP_WORDS[COMP_CWORD]} command=gsls commands= options= flag= value word i
  local -a flags
  COMPREPLY=()
  _gsls_command gsls
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ " $options" == *" $word="* ]]; then
      # Its value is the next word, or stands behind an equals sign, which is a word of its own here.
      [[ \${COMP_WORDS[i + 1]} == '=' ]] && ((i++))
      ((++i >= COMP_CWORD)) && flag=$word
    elif [[ " $commands " == *" $word "* ]]; then
      command+=" $word"
      _gsls_command "$command"
    fi
  done
  [[ $current == '=' ]] && current=
  if [[ $flag ]]; then
    value=" $options "
    value=\${value#*" $flag="}
    value=\${value%% *}
    if [[ $value == '@' ]]; then
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
    else
      mapfile -t COMPREPLY < <(compgen -W "\${value//|/ }" -- "$current")
    fi
  elif [[ $current == -* ]]; then
    flags=($options)
    mapfile -t COMPREPLY < <(compgen -W "\${flags[*]%%=*}" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
  fi
}

complete -F _gsls gsls
`;
}

export function zshCompletion(program: DescribedCommand): string {
  const ofService = program.options.filter(({ names }) => !names.includes('--help'));
  const cases = family(program).map(({ words, commands, options, isOfService }) => {
    const below = commands.map((each) => quoted(`${lastWord(each)}:${zshText(each.summary)}`));
    const own = options.filter((option) => !ofService.includes(option)).flatMap(zshSpecs);
    const specs = [...own, ...(isOfService || words === 'gsls' ? ['$service'] : [])];
    return `    ${quoted(words)}) commands=(${below.join(' ')}) specs=(${specs.join(' ')}) ;;`;
  });
  return `#compdef gsls
# The completion of gsls in zsh, made from its commands and options.
_gsls_command() {
  local curcontext=$curcontext state line
  local -a commands specs service=(
    ${ofService.flatMap(zshSpecs).join('\n    ')}
  )
  case $1 in
${cases.join('\n')}
  esac
  if (( $#commands )); then
    _arguments -C -A '-*' $specs '1: :->command' '*:: :->rest'
    case $state in
      command) _describe command commands ;;
      rest) _gsls_command "$1 $line[1]" ;;
    esac
  else
    _arguments $specs '*: : '
  fi
}

_gsls_command gsls
`;
}

function zshText(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, '\\$&');
}

function zshSpecs({ names, argument, isPath, choices, description }: DescribedOption): string[] {
  const told = `[${zshText(brief(description))}]`;
  if (argument === undefined) return names.map((name) => quoted(name + told));
  const action = isPath ? '_files' : choices.length > 0 ? `(${choices.join(' ')})` : ' ';
  return names.map((name) => quoted(`*${name}=${told}:${zshText(argument.slice(1, -1))}:${action}`));
}

export function fishCompletion(program: DescribedCommand): string {
  const commands = family(program);
  const valued = program.options
    .filter(({ argument }) => argument !== undefined)
    .map(({ names }) => names.at(-1));
  /** The line of an option, and the commands that take it. */
  const takers = new Map<string, string[]>();
  for (const command of commands)
    for (const option of optionsOf(command, program.options)) {
      const line = fishOption(option);
      takers.set(line, [...(takers.get(line) ?? []), command.words]);
    }
  const lines = [
    ...commands.flatMap(({ words, commands: below }) =>
      below.map(
        (each) => `complete -c gsls -n ${fishAt([words])} -a ${lastWord(each)} -d ${quoted(each.summary)}`,
      ),
    ),
    ...[...takers].map(([line, words]) => `complete -c gsls -n ${fishAt(words)} ${line}`),
  ];
  return `# The completion of gsls in fish, made from its commands and options.
set -g __gsls_commands ${commands.map(({ words }) => quoted(words)).join(' ')}
set -g __gsls_valued ${valued.join(' ')}

# Whether the command on the line is one of these.
function __gsls_at
    set -l command gsls
    set -l isValue 0
    for word in (commandline -opc)[2..]
        if test $isValue = 1
            set isValue 0
        else if contains -- $word $__gsls_valued
            set isValue 1
        else if contains -- "$command $word" $__gsls_commands
            set command "$command $word"
        end
    end
    contains -- $command $argv
end

complete -c gsls -f
${lines.join('\n')}
`;
}

/** The condition that one of these commands is on the line. */
function fishAt(words: readonly string[]): string {
  return quoted(`__gsls_at ${words.map((each) => `"${each}"`).join(' ')}`);
}

function fishOption({ names, argument, isPath, choices, description }: DescribedOption): string {
  const forms = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const value = argument === undefined ? [] : isPath ? ['-r', '-F'] : ['-x'];
  const words = choices.length === 0 ? [] : ['-a', quoted(choices.join(' '))];
  return [...forms, ...value, ...words, '-d', quoted(brief(description))].join(' ');
}
