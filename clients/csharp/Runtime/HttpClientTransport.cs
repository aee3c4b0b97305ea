#if !UNITY_2021_3_OR_NEWER
using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>
    /// The HTTP of .NET and Mono: connections are kept, and the proxy of the system is used. One serves any number of
    /// announcements and readers.
    /// </summary>
    public sealed class HttpClientTransport : ITransport
    {
        private const int MostConnections = 100;
        private const int PieceBytes = 16 * 1024;

        private readonly Lazy<HttpClient> client = new Lazy<HttpClient>(() => Connect(false));
        private readonly Lazy<HttpClient> insecureClient = new Lazy<HttpClient>(() => Connect(true));

        /// <inheritdoc />
        public async Task SendAsync(
            TransportRequest request, ITransportReceiver receiver, CancellationToken cancellation)
        {
            using (var ownClient = request.TakesNewConnection ? Connect(request.Insecure) : null)
            using (var message = MessageOf(request))
            {
                var sender = ownClient ?? (request.Insecure ? insecureClient : client).Value;
                using (var response = await sender.SendAsync(
                    message, HttpCompletionOption.ResponseHeadersRead, cancellation))
                {
                    receiver.OnHead((int)response.StatusCode, HeadersOf(response));
                    var isPacked = response.Content.Headers.ContentEncoding.Contains("gzip");
                    using (var packed = await response.Content.ReadAsStreamAsync())
                    using (var body = isPacked ? new GZipStream(packed, CompressionMode.Decompress) : packed)
                        await ReadAsync(body, receiver, cancellation);
                }
            }
        }

        private static async Task ReadAsync(Stream body, ITransportReceiver receiver, CancellationToken cancellation)
        {
            var piece = new byte[PieceBytes];
            int count;
            do count = await body.ReadAsync(piece, 0, piece.Length, cancellation);
            while (count > 0 && receiver.OnBody(piece, count));
            if (count > 0) await LetGoAsync(body, piece);
        }

        // .NET waits up to two seconds for the rest of a body that was not read to its end, unless a read is cancelled.
        private static async Task LetGoAsync(Stream body, byte[] piece)
        {
            using (var end = new CancellationTokenSource())
            {
                var rest = body.ReadAsync(piece, 0, piece.Length, end.Token);
                end.Cancel();
                try
                {
                    await rest;
                }
                catch (Exception)
                {
                    // It is cancelled, or was cut off: that is what is wanted.
                }
            }
        }

        private static HttpRequestMessage MessageOf(TransportRequest request)
        {
            var message = new HttpRequestMessage(new HttpMethod(request.Method), request.Url);
            foreach (var header in request.Headers)
                message.Headers.TryAddWithoutValidation(header.Key, header.Value);
            if (request.TakesGzip) message.Headers.AcceptEncoding.Add(new StringWithQualityHeaderValue("gzip"));
            if (request.Body == null) return message;
            message.Content = new ByteArrayContent(request.Body);
            message.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
            return message;
        }

        private static IEnumerable<KeyValuePair<string, string>> HeadersOf(HttpResponseMessage response)
        {
            foreach (var header in response.Headers)
                yield return new KeyValuePair<string, string>(header.Key, string.Join(", ", header.Value));
            foreach (var header in response.Content.Headers)
                yield return new KeyValuePair<string, string>(header.Key, string.Join(", ", header.Value));
        }

        private static HttpClient Connect(bool insecure)
        {
            var handler = new HttpClientHandler
            {
                AllowAutoRedirect = false,
                UseCookies = false,
                MaxConnectionsPerServer = MostConnections,
            };
            if (insecure) handler.ServerCertificateCustomValidationCallback = (_, __, ___, ____) => true;
            return new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
        }
    }
}
#endif
