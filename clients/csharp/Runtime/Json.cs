// JSON without reflection, so that nothing is stripped or made at run time under IL2CPP. An object is a
// Dictionary<string, object>, an array a List<object>; the rest is string, double, bool and null.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace GameServerListing
{
    internal static class Json
    {
        /// <summary>Deeper than any answer of GSLS, and not so deep that a hostile one ends the stack.</summary>
        private const int DeepestLevel = 128;

        /// <summary>Whether the text is JSON. Of members with the same name the last one counts.</summary>
        public static bool TryRead(string text, out object value)
        {
            var reader = new Reader(text);
            return reader.TryReadAll(out value);
        }

        /// <summary>The members of a text that is an object of JSON; none of any other text.</summary>
        public static Dictionary<string, object> MembersOf(string text) =>
            TryRead(text, out var value) && value is Dictionary<string, object> members
                ? members
                : new Dictionary<string, object>();

        /// <summary>Takes only values that came from <see cref="Copy"/> or <see cref="TryRead"/>.</summary>
        public static string Write(object value)
        {
            var text = new StringBuilder();
            Write(text, value);
            return text.ToString();
        }

        /// <summary>
        /// The value as values of JSON alone, which nobody else can change. Throws an ArgumentException for a value
        /// that JSON does not have.
        /// </summary>
        public static object Copy(object value, int level = 0)
        {
            if (level > DeepestLevel) throw new ArgumentException("the value has too many levels");
            if (value == null || value is string || value is bool) return value;
            if (value is IDictionary members)
            {
                var copy = new Dictionary<string, object>();
                foreach (DictionaryEntry member in members)
                    copy[member.Key as string ?? throw new ArgumentException("a key must be a text")] =
                        Copy(member.Value, level + 1);
                return copy;
            }
            if (value is IEnumerable items)
            {
                var copy = new List<object>();
                foreach (var item in items) copy.Add(Copy(item, level + 1));
                return copy;
            }
            if (value is int || value is long || value is double || value is float || value is decimal ||
                value is uint || value is ulong || value is short || value is ushort || value is byte || value is sbyte)
            {
                var number = Convert.ToDouble(value, CultureInfo.InvariantCulture);
                if (!double.IsNaN(number) && !double.IsInfinity(number)) return number;
            }
            throw new ArgumentException("JSON has no such value: " + value);
        }

        private static void Write(StringBuilder text, object value)
        {
            if (value is string characters) WriteText(text, characters);
            else if (value is bool isTrue) text.Append(isTrue ? "true" : "false");
            else if (value is double number && !double.IsNaN(number) && !double.IsInfinity(number))
                text.Append(number.ToString("R", CultureInfo.InvariantCulture));
            else if (value is Dictionary<string, object> members)
            {
                text.Append('{');
                var separator = "";
                foreach (var member in members)
                {
                    text.Append(separator);
                    WriteText(text, member.Key);
                    text.Append(':');
                    Write(text, member.Value);
                    separator = ",";
                }
                text.Append('}');
            }
            else if (value is List<object> items)
            {
                text.Append('[');
                for (var index = 0; index < items.Count; index++)
                {
                    if (index > 0) text.Append(',');
                    Write(text, items[index]);
                }
                text.Append(']');
            }
            else text.Append("null");
        }

        /// <summary>A surrogate without its other half is escaped too: UTF-8 has no bytes for it.</summary>
        private static void WriteText(StringBuilder text, string characters)
        {
            text.Append('"');
            for (var index = 0; index < characters.Length; index++)
            {
                var character = characters[index];
                if (char.IsSurrogatePair(characters, index))
                    text.Append(character).Append(characters[++index]);
                else if (character < ' ' || char.IsSurrogate(character))
                    text.Append("\\u").Append(((int)character).ToString("x4"));
                else if (character == '"' || character == '\\')
                    text.Append('\\').Append(character);
                else
                    text.Append(character);
            }
            text.Append('"');
        }

        private sealed class Reader
        {
            private readonly string text;
            private int at;

            public Reader(string text)
            {
                this.text = text;
            }

            public bool TryReadAll(out object value)
            {
                if (!TryReadValue(0, out value)) return false;
                SkipSpace();
                return at == text.Length;
            }

            private bool TryReadValue(int level, out object value)
            {
                value = null;
                if (level > DeepestLevel) return false;
                SkipSpace();
                switch (Next)
                {
                    case '{': return TryReadObject(level, out value);
                    case '[': return TryReadArray(level, out value);
                    case '"':
                        var isText = TryReadText(out var characters);
                        value = characters;
                        return isText;
                    case 't':
                        value = true;
                        return Takes("true");
                    case 'f':
                        value = false;
                        return Takes("false");
                    case 'n': return Takes("null");
                    default: return TryReadNumber(out value);
                }
            }

            private bool TryReadObject(int level, out object value)
            {
                var members = new Dictionary<string, object>();
                value = members;
                at++;
                SkipSpace();
                if (Takes("}")) return true;
                do
                {
                    SkipSpace();
                    if (!TryReadText(out var name)) return false;
                    SkipSpace();
                    if (!Takes(":") || !TryReadValue(level + 1, out var member)) return false;
                    members[name] = member;
                    SkipSpace();
                } while (Takes(","));
                return Takes("}");
            }

            private bool TryReadArray(int level, out object value)
            {
                var items = new List<object>();
                value = items;
                at++;
                SkipSpace();
                if (Takes("]")) return true;
                do
                {
                    if (!TryReadValue(level + 1, out var item)) return false;
                    items.Add(item);
                    SkipSpace();
                } while (Takes(","));
                return Takes("]");
            }

            private bool TryReadText(out string characters)
            {
                characters = null;
                if (!Takes("\"")) return false;
                StringBuilder escaped = null;
                for (var start = at; at < text.Length; at++)
                {
                    var character = text[at];
                    if (character < ' ') return false;
                    if (character != '"' && character != '\\') continue;
                    if (character == '"' && escaped == null)
                    {
                        characters = text.Substring(start, at++ - start);
                        return true;
                    }
                    escaped = escaped ?? new StringBuilder();
                    escaped.Append(text, start, at - start);
                    at++;
                    if (character == '"')
                    {
                        characters = escaped.ToString();
                        return true;
                    }
                    if (!TryReadEscape(out var meant)) return false;
                    escaped.Append(meant);
                    start = at + 1;
                }
                return false;
            }

            /// <summary>Stays at the last character of the escape.</summary>
            private bool TryReadEscape(out char meant)
            {
                const string escapes = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
                meant = '\0';
                if (Next == 'u')
                {
                    var code = 0;
                    for (var digits = 0; digits < 4; digits++)
                    {
                        at++;
                        if (!Uri.IsHexDigit(Next)) return false;
                        code = 16 * code + Uri.FromHex(Next);
                    }
                    meant = (char)code;
                    return true;
                }
                var which = escapes.IndexOf(Next);
                if (which >= 0) meant = meanings[which];
                return which >= 0;
            }

            private bool TryReadNumber(out object value)
            {
                value = null;
                var start = at;
                Takes("-");
                if (!Takes("0") && !SkipDigits()) return false;
                if (Takes(".") && !SkipDigits()) return false;
                if (Takes("e") || Takes("E"))
                {
                    if (!Takes("+")) Takes("-");
                    if (!SkipDigits()) return false;
                }
                value = ParseNumber(text.Substring(start, at - start));
                return true;
            }

            private bool SkipDigits()
            {
                var start = at;
                while (Next >= '0' && Next <= '9') at++;
                return at > start;
            }

            private void SkipSpace()
            {
                while (Next == ' ' || Next == '\t' || Next == '\n' || Next == '\r') at++;
            }

            private bool Takes(string word)
            {
                var isNext = string.CompareOrdinal(text, at, word, 0, word.Length) == 0;
                if (isNext) at += word.Length;
                return isNext;
            }

            /// <summary>U+0000 at the end: no JSON has it outside of a text.</summary>
            private char Next => at < text.Length ? text[at] : '\0';
        }

        /// <summary>A number that is too large is infinite; older platforms refuse to say so.</summary>
        private static double ParseNumber(string digits) =>
            double.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
                ? number
                : digits[0] == '-' ? double.NegativeInfinity : double.PositiveInfinity;
    }
}
