import { expect } from 'chai';
import { commandOf, SHORTCUTS } from '../../../src/page/hooks/use-shortcuts.ts';
import { LANGUAGES } from '../../../src/page/texts/languages.ts';

const press = (key: string, modifiers: Partial<Record<'ctrlKey' | 'altKey' | 'metaKey', true>> = {}) => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...modifiers,
});

describe('the shortcuts', () => {
  it('name one command for each key', () => {
    const keys = SHORTCUTS.flatMap((shortcut) => shortcut.keys);
    expect(new Set(keys).size).to.equal(keys.length);
    expect(commandOf(press('/'), false)).to.equal('search');
    expect(commandOf(press('j'), false)).to.equal('next');
    expect(commandOf(press('ArrowUp'), false)).to.equal('previous');
    expect(commandOf(press('x'), false)).to.equal(undefined);
  });

  it('leave keys with a modifier to the browser', () => {
    for (const modifier of ['ctrlKey', 'altKey', 'metaKey'] as const)
      expect(commandOf(press('f', { [modifier]: true }), false)).to.equal(undefined);
  });

  it('leave Enter and Escape to the browser', () => {
    expect(commandOf(press('Enter'), false)).to.equal(undefined);
    expect(commandOf(press('Escape'), false)).to.equal(undefined);
  });

  it('are for the server of a dialog alone while one is open', () => {
    expect(commandOf(press('c'), true)).to.equal('copy');
    expect(commandOf(press('f'), true)).to.equal('favourite');
    expect(commandOf(press('j'), true)).to.equal('next');
    expect(commandOf(press('k'), true)).to.equal('previous');
    // They scroll.
    expect(commandOf(press('ArrowDown'), true)).to.equal(undefined);
    expect(commandOf(press('o'), true)).to.equal(undefined);
  });

  it('are explained in every language', () => {
    for (const texts of LANGUAGES.values())
      for (const { command } of SHORTCUTS) expect(texts.shortcuts.commands[command], command).to.match(/./);
  });
});
