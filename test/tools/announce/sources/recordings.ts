/** Replies as game servers have sent them, each with where it was recorded. */

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

export const A2S = {
  /** The example of developer.valvesoftware.com/wiki/Server_queries, also in 991jo/gameserver_response_parser. */
  counterStrikeSource: hex(
    'ffffffff490267616d653278732e636f6d20436f756e7465722d537472696b6520536f757263652023310064655f64757374' +
      '0063737472696b6500436f756e7465722d537472696b653a20536f7572636500f000051004646c0000312e302e302e323200',
  ),
  /** rapid7/metasploit-framework, spec/lib/rex/proto/steam/message_spec.rb. */
  ageOfChivalry: hex(
    'ffffffff49112d3d54484520424154544c4547524f554e4453202a48415244434f52452a3d2d00616f635f626174746c6567726f756e6400' +
      '6167656f6663686976616c727900416765206f66204368697661' +
      '6c7279006644162000646c0001312e302e302e3600b1876904047c35be124001484c737461747358' +
      '3a43452c696e637265617365645f6d6178706c6179657273006644000000000000',
  ),
  /** The tests of boombatower/source-broadcast-proxy. */
  teamFortress: hex(
    'ffffffff49115465616d20466f72747265737300706c5f6261647761746572007466005465616d20466f72747265737300b801001800646c00' +
      '013234323030383000b101c0023ca209541240017061796c6f616400b801000000000000',
  ),
  /** A public server of Counter-Strike 2, published as a test of another client: 64 places, twelve keywords. */
  counterStrike2: hex(
    'ffffffff491143533220355835207c203576352023323837205b42525d20e2809420435942455253484f4b452e4e4554' +
      '0064655f6d6972616765006373676f00436f756e7465722d537472696b65203200da02004000646c0001312e34312e382e3800' +
      'b1766d070aee0000003001656d7074792c3576352c357673352c3578352c62742c63796265722c637962657273686f6b652c' +
      '64655f6d69726167652c64726f702c6475656c2c656e2c6700da02000000000000',
  ),
  /** A public server of Project Zomboid, published as a test of another client: keywords with semicolons. */
  projectZomboid: hex(
    'ffffffff49115468697320697320686f7720796f752064696564004d756c6472617567682c204b59007a6f6d626f6964' +
      '0050726f6a656374205a6f6d626f6964000000405000646c0001312e302e302e3000' +
      'b1853f1438207224c740013b6d6f646465643b7076703b56455253494f4e3a34322e32300038a8010000000000',
  ),
  /** A server of Valheim and its challenge, published as a test of another client: with a password, and no game. */
  valheim: hex(
    'ffffffff4911427261766173004272617661730076616c6865696d00000000000a00646c0100312e302e302e3000' +
      'b1980908c4617b1ac74001673d302e3232312e31322c6e3d33362c6d3d002aa00d0000000000',
  ),
  valheimChallenge: hex('ffffffff413447f2fe'),
} as const;

export const QUAKE3 = {
  /** openarena-server of Debian 12, one private slot of 12; the challenge is put in. */
  openArenaInfo: (challenge: string): Buffer =>
    Buffer.from(
      '\u00ff\u00ff\u00ff\u00ffinfoResponse\n\\voip\\opus\\g_needpass\\0\\pure\\1\\gametype\\0\\sv_maxclients\\10' +
        '\\g_humanplayers\\2\\clients\\5\\mapname\\oa_dm1\\hostname\\^1Red ^7Arena\\protocol\\71' +
        `\\gamename\\Quake3Arena\\challenge\\${challenge}`,
      'latin1',
    ),
  openArenaStatus: Buffer.from(
    '\u00ff\u00ff\u00ff\u00ffstatusResponse\n\\com_protocol\\71\\sv_hostname\\^1Red ^7Arena\\sv_maxclients\\12' +
      '\\sv_privateclients\\2\\version\\ioq3 1.36+u20221123.70d07d9+dfsg-1/Debian linux-x86_64 Jan  8 2023' +
      '\\com_gamename\\Quake3Arena\\dmflags\\0\\fraglimit\\20\\timelimit\\0\\g_gametype\\0\\mapname\\oa_dm1' +
      '\\gamename\\baseoa\\g_needpass\\0\\g_voteGametypes\\/0/1/3/4/5/6/7/8/9/10/11/12/\n',
    'latin1',
  ),
  /** A public server of Quake III Arena: the tests of librgs. */
  quake3Status: Buffer.from(
    '\u00ff\u00ff\u00ff\u00ffstatusResponse\n\\dmflags\\8\\fraglimit\\20\\timelimit\\15\\sv_privateClients\\0' +
      '\\sv_hostname\\games.on.net #5 Q3A (NSW)\\sv_maxclients\\16\\sv_punkbuster\\0\\bot_minplayers\\2\\g_needpass\\0' +
      '\\g_gametype\\0\\version\\Q3 1.32c win-x86 May  8 2006\\protocol\\68\\mapname\\q3dm8' +
      '\\.Administrator\\Wishful Thinking!\\gamename\\baseq3\n8 0 "Xaero"\n-8 10 "Sarge"\n',
    'latin1',
  ),
  /** A public server of Xonotic, as a comment of a client of its time has it. */
  xonoticInfo: Buffer.from(
    '\u00ff\u00ff\u00ff\u00ffinfoResponse\n\\gamename\\xonotic\\modname\\data\\gameversion\\20000\\sv_maxclients\\24' +
      '\\clients\\4\\bots\\2\\mapname\\dance\\hostname\\[o8] Nexican v2.5.1\\protocol\\3' +
      '\\qcstatus\\ctf:2.5.1::score!!:score!!,caps!:5:22,1:14:73,3',
    'latin1',
  ),
} as const;

export const MINECRAFT = {
  /** py-mine/mcstatus, tests/protocol/test_java_client.py: the whole reply of a server of 1.8-pre1. */
  vanilla1_8: hex(
    '7200707B226465736372697074696F6E223A2241204D696E65637261667420536572766572222C22706C6179657273223A7B2' +
      '26D6178223A32302C226F6E6C696E65223A307D2C2276657273696F6E223A7B226E616D65223A22312E382D70726531222C22' +
      '70726F746F636F6C223A34347D7D',
  ),
  /** The JSON of a vanilla server of 2026, as XTLS/Xray-core has it. */
  vanilla2026:
    '{"description":"A Minecraft Server","players":{"max":20,"online":0},"version":{"name":"26.1.2","protocol":775},"enforcesSecureChat":true}',
  /** The JSON of mc.bithole.dev, from its owner's article on scanning for servers; the icon is cut. */
  paper1_18:
    '{"description":{"extra":[{"extra":[{"obfuscated":true,"text":"aa"}],"text":"          "},{"text":" "},' +
    '{"bold":true,"color":"green","text":"Welcome to BitCraft! "},{"obfuscated":true,"text":"aa"}],"text":""},' +
    '"players":{"max":30,"online":0},"version":{"name":"Paper 1.18.1","protocol":757},' +
    '"favicon":"data:image/png;base64,iVBORw0KGgo"}',
} as const;

/** Of teeworlds-server 0.7.5 and DDNet-Server 16.4 of Debian 12, asked with tokens of bytes of 7. */
export const TEEWORLDS = {
  token0_7: hex('0400000007070705141eafdc'),
  info0_7: hex(
    '2100070707141eafdcffffffff696e6633879c38302e372e35005420736576656e0000646d3100444d00000100080008',
  ),
  ddnetExtended: hex(
    'ffffffffffffffffffff6965787434363035353100302e362e342c2031362e340044206e6574005475746f7269616c00' +
      '2d31393234333733333730003130383237313100546573744444726163654e6574776f720031003000363400300036340000',
  ),
  ddnetVanilla: hex(
    'ffffffffffffffffffff696e66333700302e362e342c2031362e340044206e6574205b302f36345d005475746f7269616c00' +
      '546573744444726163654e6574776f7200310030003136003000313600',
  ),
  ddnet0_7: hex(
    '2100070707899a1ed4ffffffff696e6633879c38302e37e28694302e362e342c2031362e340044206e657400' +
      '005475746f7269616c00546573744444726163654e6574776f72000301008001008001',
  ),
} as const;

/** A reply of Minecraft with this JSON. */
export function minecraftReply(json: string): Buffer {
  const text = Buffer.from(json);
  const body = Buffer.concat([Buffer.from([0]), varInt(text.length), text]);
  return Buffer.concat([varInt(body.length), body]);
}

function varInt(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
