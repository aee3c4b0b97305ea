using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;

namespace GameServerListing
{
    /// <summary>
    /// The last list, for the time when no service answers. What is wrong with the file is told, and does no harm.
    /// </summary>
    internal sealed class ListFile
    {
        private readonly string path;
        private readonly bool hasDetails;

        private ListFile(string path, bool hasDetails)
        {
            this.path = path;
            this.hasDetails = hasDetails;
        }

        /// <summary>Null without a path.</summary>
        /// <param name="path">Of the file.</param>
        /// <param name="hasDetails">Whether its servers have what <c>GET /</c> leaves out.</param>
        public static ListFile At(string path, bool hasDetails) =>
            string.IsNullOrEmpty(path) ? null : new ListFile(path, hasDetails);

        /// <summary>The kept servers; null if there are none: then the problem may say why.</summary>
        public List<ListedServer> Read(out string problem, out DateTimeOffset asOf)
        {
            problem = null;
            asOf = default(DateTimeOffset);
            try
            {
                var members = Json.MembersOf(File.ReadAllText(path));
                members.TryGetValue("servers", out var told);
                members.TryGetValue("as_of", out var time);
                var servers = ListedServer.ReadAll(told, hasDetails);
                if (servers != null && DateTimeOffset.TryParse(
                    time as string, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out asOf))
                    return servers;
                problem = "The file " + path + " holds no list.";
            }
            catch (Exception error) when (error is FileNotFoundException || error is DirectoryNotFoundException)
            {
                // The first start.
            }
            catch (Exception error)
            {
                problem = "The file " + path + " cannot be read: " + Words.EndOf(error.Message);
            }
            return null;
        }

        /// <summary>The problem if it cannot be written, else null.</summary>
        public string Write(IEnumerable<ListedServer> servers, DateTimeOffset asOf)
        {
            try
            {
                var members = new List<object>();
                foreach (var server in servers) members.Add(server.Members);
                Platform.Replace(path, Encoding.UTF8.GetBytes(Json.Write(new Dictionary<string, object>
                {
                    ["as_of"] = asOf.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.fffZ", CultureInfo.InvariantCulture),
                    ["servers"] = members,
                })));
                return null;
            }
            catch (Exception error)
            {
                return "The list cannot be kept in " + path + ": " + Words.EndOf(error.Message);
            }
        }
    }
}
