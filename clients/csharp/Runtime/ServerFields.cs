using System;
using System.Collections.Generic;

namespace GameServerListing
{
    /// <summary>
    /// What a game server says of itself. A field that was not set is not sent, and an update leaves it as it was.
    /// Fields without a property of their own are set by name, as in <c>fields["unlisted"] = true</c>; null takes a
    /// field away.
    /// </summary>
    public sealed class ServerFields
    {
        private readonly Dictionary<string, object> values = new Dictionary<string, object>();

        /// <summary>The host name by which players reach the game server.</summary>
        public string Host
        {
            get { return this["server_host"] as string; }
            set { this["server_host"] = value; }
        }

        /// <summary>The name that players see.</summary>
        public string Name
        {
            get { return this["server_name"] as string; }
            set { this["server_name"] = value; }
        }

        /// <summary>1 to 65535.</summary>
        public int? Port
        {
            get { return Number("server_port"); }
            set { this["server_port"] = value; }
        }

        /// <summary>The public address. If it is not set, <c>auto</c>: the one that the requests come from.</summary>
        public string Ip
        {
            get { return this["server_ip"] as string; }
            set { this["server_ip"] = value; }
        }

        /// <summary>How many players there are.</summary>
        public int? Players
        {
            get { return Number("players"); }
            set { this["players"] = value; }
        }

        /// <summary>How many players it takes.</summary>
        public int? MaxPlayers
        {
            get { return Number("max_players"); }
            set { this["max_players"] = value; }
        }

        /// <summary>The map.</summary>
        public string Map
        {
            get { return this["map"] as string; }
            set { this["map"] = value; }
        }

        /// <summary>The mode of the game.</summary>
        public string Mode
        {
            get { return this["mode"] as string; }
            set { this["mode"] = value; }
        }

        /// <summary>The version of the game.</summary>
        public string Version
        {
            get { return this["version"] as string; }
            set { this["version"] = value; }
        }

        /// <summary>The region, such as <c>eu</c>.</summary>
        public string Region
        {
            get { return this["region"] as string; }
            set { this["region"] = value; }
        }

        /// <summary>The country, two capital letters such as <c>DE</c>.</summary>
        public string Country
        {
            get { return this["country"] as string; }
            set { this["country"] = value; }
        }

        /// <summary>Whether players need a password.</summary>
        public bool? Password
        {
            get { return this["password"] as bool?; }
            set { this["password"] = value; }
        }

        /// <summary>Up to 16 texts. Set it anew to change it.</summary>
        public IEnumerable<string> Tags
        {
            get { return (this["tags"] as List<object>)?.ConvertAll(tag => tag as string); }
            set { this["tags"] = value; }
        }

        /// <summary>
        /// Anything else, as values of JSON: text, number, bool, null, list or dictionary. Set it anew to change it.
        /// </summary>
        public IDictionary<string, object> Meta
        {
            get { return this["meta"] as IDictionary<string, object>; }
            set { this["meta"] = value; }
        }

        /// <summary>
        /// A field by its name in the API. The value is copied: text, number, bool, list or dictionary, or null to take
        /// the field away. Throws an ArgumentException for a value that JSON does not have.
        /// </summary>
        public object this[string field]
        {
            get { return values.TryGetValue(field, out var value) ? value : null; }
            set { values[field] = Json.Copy(value); }
        }

        /// <summary>These fields and, in place of those with the same names, the newer ones.</summary>
        internal ServerFields With(ServerFields newer)
        {
            var both = new ServerFields();
            foreach (var each in values) both.values[each.Key] = each.Value;
            foreach (var each in newer.values) both.values[each.Key] = each.Value;
            return both;
        }

        /// <summary>Those that are sent.</summary>
        internal Dictionary<string, object> ToBody()
        {
            var body = new Dictionary<string, object> { ["server_ip"] = "auto" };
            foreach (var each in values)
                if (each.Value != null) body[each.Key] = each.Value;
            return body;
        }

        private int? Number(string field) => this[field] is double number ? (int?)number : null;
    }
}
