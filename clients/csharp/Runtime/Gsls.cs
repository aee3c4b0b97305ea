using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>
    /// A client of GSLS, the Game Server Listing Service. Nothing here makes the game wait. A URL or a key that cannot
    /// be right is refused at once, with an ArgumentException.
    /// </summary>
    public static class Gsls
    {
        /// <summary>Keeps a game server listed until it is stopped, in the background.</summary>
        /// <param name="url">Of the service, such as <c>https://list.example.com</c>; it may have a path.</param>
        /// <param name="fields">What the game server says of itself. They are copied.</param>
        /// <param name="options">Null: all defaults.</param>
        public static Announcement Announce(string url, ServerFields fields, GslsOptions options = null) =>
            new Announcement(
                url, fields ?? throw new ArgumentNullException(nameof(fields)), options ?? new GslsOptions());

        /// <summary>
        /// Reads the whole list, with the fields that every server has. Fails with a <see cref="GslsException"/>.
        /// </summary>
        /// <param name="url">Of the service.</param>
        /// <param name="options">Null: all defaults.</param>
        /// <param name="previous">An earlier result: if nothing has changed, its servers are not sent again.</param>
        /// <param name="cancellation">Gives it up.</param>
        public static Task<ServerList> ListAsync(
            string url, GslsOptions options = null, ServerList previous = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            ListAsync(new[] { url }, options, previous, cancellation);

        /// <summary>The same from the first of several services that answers. Each call begins with the first.</summary>
        public static Task<ServerList> ListAsync(
            IEnumerable<string> urls, GslsOptions options = null, ServerList previous = null,
            CancellationToken cancellation = default(CancellationToken))
        {
            var reader = new ServerReader(urls, options ?? new GslsOptions());
            return Platform.Run(() => reader.ListAsync(previous, cancellation));
        }

        /// <summary>Reads the servers that match, each once. Fails with a <see cref="GslsException"/>.</summary>
        /// <param name="url">Of the service.</param>
        /// <param name="query">
        /// That of <c>GET /servers</c>, such as <c>region=eu&amp;players=1..</c>; empty for all. With a <c>limit</c> so
        /// many servers at the most, else all of them.
        /// </param>
        /// <param name="options">Null: all defaults.</param>
        /// <param name="cancellation">Gives it up.</param>
        public static Task<ServerList> FindAsync(
            string url, string query, GslsOptions options = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            FindAsync(new[] { url }, query, options, cancellation);

        /// <summary>The same from the first of several services that answers. Each call begins with the first.</summary>
        public static Task<ServerList> FindAsync(
            IEnumerable<string> urls, string query, GslsOptions options = null,
            CancellationToken cancellation = default(CancellationToken))
        {
            var reader = new ServerReader(urls, options ?? new GslsOptions());
            return Platform.Run(() => reader.FindAsync(query, cancellation));
        }

        /// <summary>
        /// As <see cref="FindAsync(string, string, GslsOptions, CancellationToken)"/>, and the nearest first, unless the
        /// query has another order. Measures how far the beacons of the service are, which takes some seconds, and
        /// remembers that for a day.
        /// </summary>
        public static Task<ServerList> NearestAsync(
            string url, string query = "", GslsOptions options = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            NearestAsync(new[] { url }, query, options, cancellation);

        /// <summary>The same from the first of several services that answers. Each call begins with the first.</summary>
        public static Task<ServerList> NearestAsync(
            IEnumerable<string> urls, string query = "", GslsOptions options = null,
            CancellationToken cancellation = default(CancellationToken))
        {
            var reader = new ServerReader(urls, options ?? new GslsOptions());
            return Platform.Run(() => reader.NearestAsync(query, cancellation));
        }

        /// <summary>
        /// Reports a game server to the moderators of the service. Fails with a <see cref="GslsException"/>.
        /// </summary>
        /// <param name="url">Of the service.</param>
        /// <param name="id">Of the entry, as in <see cref="ListedServer.Id"/>.</param>
        /// <param name="reason">One of those that the service takes.</param>
        /// <param name="note">What else moderators should know, where the service takes notes. Null: nothing.</param>
        /// <param name="options">Null: all defaults.</param>
        /// <param name="cancellation">Gives it up.</param>
        public static Task ReportAsync(
            string url, string id, string reason, string note = null, GslsOptions options = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            ReportAsync(new[] { url }, id, reason, note, options, cancellation);

        /// <summary>
        /// The same to the first of several services that answers: where one cannot take it now, the next one is
        /// asked. Any other refusal is the result, such as <c>read_only</c> of a mirror.
        /// </summary>
        public static Task ReportAsync(
            IEnumerable<string> urls, string id, string reason, string note = null, GslsOptions options = null,
            CancellationToken cancellation = default(CancellationToken))
        {
            var reader = new ServerReader(urls, options ?? new GslsOptions());
            return Platform.Run(() => reader.ReportAsync(id, reason, note, cancellation));
        }

        /// <summary>Follows the servers that match, in the background, until it is stopped.</summary>
        /// <param name="url">Of the service.</param>
        /// <param name="query">As for <see cref="FindAsync"/>, without order and limit.</param>
        /// <param name="onChange">
        /// Is told the first list and each change, one after the other. Outside of Unity it is called on other threads.
        /// </param>
        /// <param name="options">Null: all defaults.</param>
        public static ServerWatch Watch(
            string url, string query, Action<ServerChanges> onChange, GslsOptions options = null) =>
            Watch(new[] { url }, query, onChange, options);

        /// <summary>
        /// The same at the first of several services that answers. It tries the first of all again each minute.
        /// </summary>
        public static ServerWatch Watch(
            IEnumerable<string> urls, string query, Action<ServerChanges> onChange, GslsOptions options = null) =>
            new ServerWatch(
                urls, query, onChange ?? throw new ArgumentNullException(nameof(onChange)),
                options ?? new GslsOptions());
    }
}
