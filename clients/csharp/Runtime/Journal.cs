using System;
using System.Collections.Generic;
using System.Text;

namespace GameServerListing
{
    /// <summary>The parts of a sentence that a service has said.</summary>
    internal static class Words
    {
        private const int LongestReason = 300;

        public static string Cut(string text) =>
            text.Length <= LongestReason ? text : text.Substring(0, LongestReason) + "…";

        /// <summary>As the end of a sentence, with one mark.</summary>
        public static string EndOf(string text)
        {
            var end = Cut(text.TrimEnd());
            return end.Length > 0 && ".?!".IndexOf(end[end.Length - 1]) >= 0 ? end : end + ".";
        }

        /// <summary>As in "in 5 s".</summary>
        public static string Seconds(TimeSpan pause) => Math.Ceiling(pause.TotalSeconds) + " s.";
    }

    /// <summary>Tells a person what changes, and nothing twice. Its lines are printable, and have no secret.</summary>
    internal sealed class Journal
    {
        private const int LongestLine = 1000;

        private readonly Action<string> log;
        private readonly Dictionary<string, string> told = new Dictionary<string, string>();
        private readonly Dictionary<string, string> secrets = new Dictionary<string, string>();

        public Journal(Action<string> log)
        {
            this.log = log ?? Platform.Log;
        }

        /// <summary>
        /// No line shows this secret from now on, whoever says it. It replaces that of the same name.
        /// </summary>
        public void Hide(string name, string secret)
        {
            if (!string.IsNullOrEmpty(secret)) secrets[name] = secret;
        }

        /// <summary>Makes a text of the service printable.</summary>
        public string Clean(string text)
        {
            foreach (var secret in secrets.Values) text = text.Replace(secret, "…");
            var clean = new StringBuilder();
            for (var index = 0; index < text.Length && clean.Length < LongestLine; index++)
            {
                var character = text[index];
                if (char.IsSurrogatePair(text, index)) clean.Append(character).Append(text[++index]);
                else if (IsPrintable(character)) clean.Append(character);
                else clean.Append("\\u").Append(((int)character).ToString("x4"));
            }
            return clean.ToString();
        }

        /// <summary>
        /// Logs the clean text if it is another one than the last of this topic.
        /// </summary>
        /// <param name="topic">Of the text.</param>
        /// <param name="text">What may be new. Null: there is nothing to tell any more.</param>
        /// <param name="more">A sentence that follows, and does not make the text a new one.</param>
        public void Tell(string topic, string text, string more = "")
        {
            if (told.TryGetValue(topic, out var before) && before == text) return;
            told[topic] = text;
            if (text == null) return;
            try
            {
                log(Clean(text) + (more == "" ? "" : " " + more));
            }
            catch (Exception)
            {
                // The log of the game is no reason to be delisted.
            }
        }

        /// <summary>
        /// No control character, nothing that turns the direction of a text round, and no half of a pair.
        /// </summary>
        private static bool IsPrintable(char character) =>
            !char.IsControl(character) && !char.IsSurrogate(character) &&
            !(character >= '\u2028' && character <= '\u202e') && !(character >= '\u2066' && character <= '\u2069') &&
            character != '\u200e' && character != '\u200f' && character != '\u061c' && character != '\ufeff';
    }
}
