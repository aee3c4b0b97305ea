using System;
using System.Collections.Generic;
using System.Globalization;

namespace GameServerListing
{
    /// <summary>A game server as the service lists it. What it does not say is null.</summary>
    public sealed class ListedServer
    {
        private static readonly string[] Texts = { "id", "host", "name", "ip" };
        private static readonly string[] Numbers = { "port", "players", "max_players" };

        private readonly Dictionary<string, object> members;

        private ListedServer(Dictionary<string, object> members)
        {
            this.members = members;
        }

        /// <summary>Of its entry: the same for as long as it is listed.</summary>
        public string Id => Text("id");

        /// <summary>The host name by which players reach it.</summary>
        public string Host => Text("host");

        /// <summary>The name that players see, in any script.</summary>
        public string Name => Text("name");

        /// <summary>Its public address.</summary>
        public string Ip => Text("ip");

        /// <summary>1 to 65535.</summary>
        public int Port => Number("port");

        /// <summary>May be more than <see cref="MaxPlayers"/>.</summary>
        public int Players => Number("players");

        /// <summary>How many players it takes.</summary>
        public int MaxPlayers => Number("max_players");

        /// <summary>The map.</summary>
        public string Map => Text("map");

        /// <summary>The mode of the game.</summary>
        public string Mode => Text("mode");

        /// <summary>The version of the game.</summary>
        public string Version => Text("version");

        /// <summary>The region.</summary>
        public string Region => Text("region");

        /// <summary>Two capital letters.</summary>
        public string Country => Text("country");

        /// <summary>In ms and back, as the service estimates it for <see cref="Gsls"/>.NearestAsync.</summary>
        public int? NearMs => this["near_ms"] is double ? (int?)Number("near_ms") : null;

        /// <summary>Whether players need a password.</summary>
        public bool? Password => this["password"] as bool?;

        /// <summary>None if it says none.</summary>
        public IReadOnlyList<string> Tags => TextsIn("tags");

        /// <summary>The labels that the operator of the service gave it; none if there are none.</summary>
        public IReadOnlyList<string> Labels => TextsIn("labels");

        /// <summary>Anything else, where it was asked for. Values are those of <see cref="this"/>.</summary>
        public IReadOnlyDictionary<string, object> Meta => this["meta"] as IReadOnlyDictionary<string, object>;

        /// <summary>When it was broadcast. Null in the answer of <see cref="Gsls.ListAsync"/>.</summary>
        public DateTimeOffset? RegisteredAt =>
            DateTimeOffset.TryParse(
                Text("registered_at"), CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time)
                ? time
                : (DateTimeOffset?)null;

        /// <summary>
        /// A field by its name in the API, also one that this client does not know: string, double, bool,
        /// <c>List&lt;object&gt;</c>, <c>Dictionary&lt;string, object&gt;</c> or null.
        /// </summary>
        public object this[string field] => members.TryGetValue(field, out var value) ? value : null;

        /// <summary>All of it, as JSON.</summary>
        internal Dictionary<string, object> Members => members;

        /// <summary>False if one of the fields that each server has is missing.</summary>
        /// <param name="value">Of JSON.</param>
        /// <param name="hasDetails">Whether it also has what <c>GET /</c> leaves out.</param>
        /// <param name="server">Null if it is none.</param>
        internal static bool TryRead(object value, bool hasDetails, out ListedServer server)
        {
            server = null;
            if (!(value is Dictionary<string, object> members)) return false;
            var read = new ListedServer(members);
            foreach (var field in Texts)
                if (!(read[field] is string)) return false;
            foreach (var field in Numbers)
                if (!(read[field] is double)) return false;
            if (hasDetails && !(read["registered_at"] is string)) return false;
            server = read;
            return true;
        }

        /// <summary>Null if one of them is no server, or if it is no list.</summary>
        internal static List<ListedServer> ReadAll(object value, bool hasDetails)
        {
            if (!(value is List<object> items)) return null;
            var servers = new List<ListedServer>(items.Count);
            foreach (var item in items)
            {
                if (!TryRead(item, hasDetails, out var server)) return null;
                servers.Add(server);
            }
            return servers;
        }

        private string Text(string field) => this[field] as string;

        private List<string> TextsIn(string field)
        {
            var texts = new List<string>();
            foreach (var each in this[field] as List<object> ?? new List<object>())
                if (each is string text) texts.Add(text);
            return texts;
        }

        /// <summary>As near as an int can be.</summary>
        private int Number(string field) =>
            this[field] is double number ? (int)Math.Max(int.MinValue, Math.Min(int.MaxValue, number)) : 0;
    }
}
