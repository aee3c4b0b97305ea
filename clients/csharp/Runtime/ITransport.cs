using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>
    /// Carries requests to a service: over the HTTP of the platform, or any other that follows these rules.
    /// </summary>
    public interface ITransport
    {
        /// <summary>
        /// Sends the request, tells the receiver the head of the answer and then each piece of its body, and completes
        /// when the body is whole or the receiver has enough. Follows no redirect. Throws any exception if there is no
        /// whole answer; its message is shown to a person. Needs no timeout of its own: it is cancelled.
        /// </summary>
        Task SendAsync(TransportRequest request, ITransportReceiver receiver, CancellationToken cancellation);
    }

    /// <summary>What is sent.</summary>
    public sealed class TransportRequest
    {
        /// <summary><c>GET</c> or <c>POST</c>.</summary>
        public string Method { get; internal set; }

        /// <summary>With its query.</summary>
        public Uri Url { get; internal set; }

        /// <summary>Those that the transport cannot know; not the length and the type of the body.</summary>
        public IReadOnlyDictionary<string, string> Headers { get; internal set; }

        /// <summary>JSON in UTF-8; null without a body.</summary>
        public byte[] Body { get; internal set; }

        /// <summary>Whether the transport may ask for gzip. It then hands on the body unpacked.</summary>
        public bool TakesGzip { get; internal set; }

        /// <summary>Whether any certificate will do.</summary>
        public bool Insecure { get; internal set; }

        /// <summary>
        /// Whether it better takes a new connection: it is not sent again if an old one turns out dead.
        /// </summary>
        public bool TakesNewConnection { get; internal set; }
    }

    /// <summary>What takes an answer while it comes.</summary>
    public interface ITransportReceiver
    {
        /// <summary>
        /// First of all, once. <paramref name="headers"/>: several with one name are joined by commas.
        /// </summary>
        void OnHead(int status, IEnumerable<KeyValuePair<string, string>> headers);

        /// <summary>
        /// The next bytes of the body are the first <paramref name="count"/>. False: it needs no more.
        /// </summary>
        bool OnBody(byte[] bytes, int count);
    }
}
