/** The values that the options of the page take. */

import { expect } from 'chai';
import { configOf } from './config-of.ts';

const colorOf = (text: string) => configOf({ environment: { GSLS_PAGE_ACCENT: text } }).pageAccent;
const keysOf = (text: string) => configOf({ environment: { GSLS_PAGE_META_FILTERS: text } }).pageMetaFilters;
const regionsOf = (text: string) => configOf({ environment: { GSLS_PAGE_REGIONS: text } }).pageRegions;
const urlOf = (text: string) => configOf({ flags: { publicUrl: [text] } }).publicUrl;
const originsOf = (text: string) => configOf({ flags: { pageEmbedOrigins: [text] } }).pageEmbedOrigins;

describe('the options of the page', () => {
  it('each has a default', () => {
    expect(configOf({})).to.deep.include({
      noPage: false,
      pageRedirect: false,
      pageTitle: 'Game servers',
      pageNotice: undefined,
      pageConnect: undefined,
      pageAccent: undefined,
      pageLogo: undefined,
      pageRegions: {},
      publicUrl: undefined,
      pageMetaFilters: [],
      pageEmbedOrigins: [],
    });
  });

  it('the title is a text of any script, without the spaces around it', () => {
    for (const title of ['Tactics servers', 'サーバー', 'خوادم', 'x'.repeat(80)])
      expect(configOf({ flags: { pageTitle: [` ${title} `] } }).pageTitle).to.equal(title);
  });

  it('the notice is a line of up to 200 characters', () => {
    for (const notice of ['We move on Sunday: <b> & "all".', 'ننتقل يوم الأحد', '🛠'.repeat(200)])
      expect(configOf({ flags: { pageNotice: [` ${notice} `] } }).pageNotice).to.equal(notice);
  });

  it('the filters by meta are up to five keys, each once', () => {
    expect(keysOf('none')).to.deep.equal([]);
    expect(keysOf(' language, Friendly fire,регион,language')).to.deep.equal([
      'language',
      'Friendly fire',
      'регион',
    ]);
    expect(keysOf('a,b,c,d,e')).to.have.length(5);
  });

  it('the names of regions are up to fifty, each with any text', () => {
    expect(regionsOf('none')).to.deep.equal({});
    expect(regionsOf(' eu=Europe , us-west = US West,x=a=b,me=ننتقل')).to.deep.equal({
      eu: 'Europe',
      'us-west': 'US West',
      x: 'a=b',
      me: 'ننتقل',
    });
    expect(Object.keys(regionsOf('__proto__=x'))).to.deep.equal(['__proto__']);
    const fifty = Array.from({ length: 50 }, (_, n) => `r${n}=Region ${n}`).join(',');
    expect(Object.keys(regionsOf(fifty))).to.have.length(50);
  });

  it('the address of the service for everybody is one to which a path can be added', () => {
    expect(urlOf('https://list.example')).to.equal('https://list.example/');
    expect(urlOf('http://list.example:8080/games')).to.equal('http://list.example:8080/games/');
    expect(urlOf('HTTPS://List.example/games/')).to.equal('https://list.example/games/');
  });

  it('the link to a game has any scheme that does no harm, and any of the placeholders', () => {
    for (const template of [
      'steam://connect/{ip}:{port}',
      'mygame://join?addr={host}:{port}&id={id}#{name}',
      'x-game+1.2:{address}',
      'https://play.example.com/{id}?n=%20{name}',
    ])
      expect(configOf({ flags: { pageConnect: [template] } }).pageConnect).to.equal(template);
  });

  it('the colour is written with three digits or six', () => {
    expect(['#36C', '#1F5fbf'].map(colorOf)).to.deep.equal(['#3366cc', '#1f5fbf']);
  });

  it('the page may be framed by no other site, by any, or by those that are named', () => {
    expect(originsOf('none')).to.deep.equal([]);
    expect(originsOf('*')).to.deep.equal(['*']);
    expect(originsOf('https://A.example, http://b.example:8080,https://*.c.example')).to.deep.equal([
      'https://a.example',
      'http://b.example:8080',
      'https://*.c.example',
    ]);
  });
});
