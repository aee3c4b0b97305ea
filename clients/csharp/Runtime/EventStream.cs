using System.Collections.Generic;
using System.Text;

namespace GameServerListing
{
    /// <summary>What a block of a stream tells.</summary>
    internal sealed class StreamBlock
    {
        /// <summary><c>message</c> if the block names none.</summary>
        public string Event;

        /// <summary>Null for a block without data.</summary>
        public string Data;

        /// <summary>The id that was told last; empty if there was none.</summary>
        public string Id;
    }

    /// <summary>
    /// Server-Sent Events, read from text that comes in pieces of any size (HTML Living Standard, 9.2.6).
    /// </summary>
    internal sealed class EventStream
    {
        /// <summary>A line that is longer, or the data of one event, is no list of servers.</summary>
        private const int MostCharacters = 64 * 1024 * 1024;

        private readonly StringBuilder line = new StringBuilder(), data = new StringBuilder();
        private bool isAfterReturn, hasData, isEmpty = true;
        private string name = "", id = "";

        /// <summary>When to connect again once the stream has ended, in ms; null if it has not said so.</summary>
        public int? RetryMs { get; private set; }

        /// <summary>
        /// The blocks that end in this piece. Throws an InvalidOperationException when one has no end.
        /// </summary>
        public IEnumerable<StreamBlock> Take(string piece)
        {
            var start = 0;
            for (var at = 0; at < piece.Length; at++)
            {
                var character = piece[at];
                var isSecondOfEnd = character == '\n' && isAfterReturn;
                isAfterReturn = character == '\r';
                if (isSecondOfEnd) start = at + 1;
                else if (character == '\r' || character == '\n')
                {
                    var whole = line.Append(piece, start, at - start).ToString();
                    line.Clear();
                    start = at + 1;
                    var block = TakeLine(whole);
                    if (block != null) yield return block;
                }
            }
            line.Append(piece, start, piece.Length - start);
            if (line.Length + data.Length > MostCharacters)
                throw new System.InvalidOperationException("an event has no end");
        }

        private StreamBlock TakeLine(string whole)
        {
            if (whole == "") return EndBlock();
            var colon = whole.IndexOf(':');
            if (colon == 0) return null;
            var field = colon < 0 ? whole : whole.Substring(0, colon);
            var value = colon < 0 ? "" : whole.Substring(colon + 1);
            if (value.StartsWith(" ", System.StringComparison.Ordinal)) value = value.Substring(1);
            switch (field)
            {
                case "event":
                    name = value;
                    break;
                case "data":
                    if (hasData) data.Append('\n');
                    data.Append(value);
                    hasData = true;
                    break;
                case "id":
                    if (value.IndexOf('\0') < 0) id = value;
                    break;
                case "retry":
                    if (int.TryParse(value, System.Globalization.NumberStyles.None,
                        System.Globalization.CultureInfo.InvariantCulture, out var ms)) RetryMs = ms;
                    return null;
                default:
                    return null;
            }
            isEmpty = false;
            return null;
        }

        private StreamBlock EndBlock()
        {
            var block = isEmpty ? null : new StreamBlock
            {
                Event = name == "" ? "message" : name,
                Data = hasData ? data.ToString() : null,
                Id = id,
            };
            name = "";
            data.Clear();
            hasData = false;
            isEmpty = true;
            return block;
        }
    }
}
