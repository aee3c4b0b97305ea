using System;

namespace GameServerListing
{
    /// <summary>How a service is asked. All of it has a default.</summary>
    public sealed class GslsOptions
    {
        /// <summary>The key of the service, where it asks for one.</summary>
        public string Key { get; set; }

        /// <summary>
        /// Where the server token outlives the game server, which then keeps its id. A file of its own for each game
        /// server; other users cannot read it. On Windows the folder has to see to that.
        /// </summary>
        public string TokenFile { get; set; }

        /// <summary>
        /// A file that keeps the last list, for the list and for a watch without a query: where no service answers,
        /// they have its servers, as stale. One file for each of both. There is none in a browser.
        /// </summary>
        public string Keep { get; set; }

        /// <summary>
        /// Of one request; 5 s. If it is set, it is also the longest silence of a watch, and the longest time until its
        /// first news (10 s).
        /// </summary>
        public TimeSpan? Timeout { get; set; }

        /// <summary>Takes any certificate: for a test at home.</summary>
        public bool Insecure { get; set; }

        /// <summary>
        /// Measures how far the beacons of the service are, where it has some, and tells it with each ping: so players
        /// find what is near. True by default.
        /// </summary>
        public bool Measure { get; set; } = true;

        /// <summary>
        /// Is told each line of text, when something changes. No line has a token or a key. By default lines go to the
        /// standard error, in Unity to <c>Debug.LogWarning</c>. Outside of Unity it is called on other threads.
        /// </summary>
        public Action<string> Log { get; set; }

        /// <summary>By default the HTTP of the platform.</summary>
        public ITransport Transport { get; set; }

        /// <summary>Measures the pauses between requests. By default the clock of the platform.</summary>
        public IClock Clock { get; set; }
    }
}
