using System;
using System.IO;

namespace GameServerListing
{
    /// <summary>Where a server token outlives the game server. Never half written, and for its own user only.</summary>
    internal sealed class TokenFile
    {
        private const int MostCharacters = 4096;

        private readonly string path;

        /// <param name="path">Null: nothing is kept.</param>
        public TokenFile(string path)
        {
            this.path = path;
        }

        /// <summary>Null: there is none.</summary>
        public string Path => path == "" ? null : path;

        /// <summary>The kept token; null if there is none, or none that can be one: then the problem says so.</summary>
        public string Read(out string problem)
        {
            problem = null;
            if (Path == null) return null;
            try
            {
                var text = ReadStart().Trim();
                if (IsToken(text)) return text;
                problem = "The token file " + path + " holds no token. The broadcast claims a new id.";
            }
            catch (Exception error) when (error is FileNotFoundException || error is DirectoryNotFoundException)
            {
                // The first start.
            }
            catch (Exception error)
            {
                problem = "The token file " + path + " cannot be read: " + Words.EndOf(error.Message) +
                    " The broadcast claims a new id.";
            }
            return null;
        }

        /// <summary>The problem if it cannot be written, else null.</summary>
        public string Write(string token)
        {
            if (Path == null) return null;
            try
            {
                Platform.Replace(path, System.Text.Encoding.ASCII.GetBytes(token + "\n"));
                return null;
            }
            catch (Exception error)
            {
                return "The token file " + path + " cannot be written: " + Words.EndOf(error.Message) +
                    " The next start gets another id.";
            }
        }

        /// <summary>Whether a header can hold it.</summary>
        public static bool IsToken(string text)
        {
            foreach (var character in text)
                if (character < ' ' || character > '~') return false;
            return text.Length > 0 && text.Length <= MostCharacters;
        }

        /// <summary>One character more than a token has.</summary>
        private string ReadStart()
        {
            using (var reader = new StreamReader(path))
            {
                var start = new char[MostCharacters + 1];
                return new string(start, 0, reader.ReadBlock(start, 0, start.Length));
            }
        }
    }
}
