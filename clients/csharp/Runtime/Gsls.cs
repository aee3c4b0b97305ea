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
