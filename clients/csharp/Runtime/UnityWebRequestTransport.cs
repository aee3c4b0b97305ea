#if UNITY_2021_3_OR_NEWER
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine.Networking;

namespace GameServerListing
{
    /// <summary>
    /// The HTTP of Unity, which runs on all of its platforms. Use it from the main thread. In a browser it is the HTTP
    /// of the browser, which follows redirects, and checks each certificate.
    /// </summary>
    public sealed class UnityWebRequestTransport : ITransport
    {
        /// <inheritdoc />
        public async Task SendAsync(
            TransportRequest request, ITransportReceiver receiver, CancellationToken cancellation)
        {
            using (var web = new UnityWebRequest(request.Url, request.Method))
            {
                var download = new Download(web, receiver);
                web.downloadHandler = download;
                web.redirectLimit = 0;
                if (request.Insecure) web.certificateHandler = new AnyCertificate();
                if (request.Body != null)
                    web.uploadHandler = new UploadHandlerRaw(request.Body) { contentType = "application/json" };
                foreach (var header in request.Headers) web.SetRequestHeader(header.Key, header.Value);
                var operation = web.SendWebRequest();
                while (!operation.isDone)
                {
                    if (cancellation.IsCancellationRequested) web.Abort();
                    await Task.Yield();
                }
                cancellation.ThrowIfCancellationRequested();
                var isCut = web.result == UnityWebRequest.Result.ConnectionError && !download.HasEnough;
                if (web.responseCode == 0 || isCut) throw new IOException(web.error);
                download.TellHead();
            }
        }

        private sealed class Download : DownloadHandlerScript
        {
            private readonly UnityWebRequest web;
            private readonly ITransportReceiver receiver;
            private bool hasToldHead;

            public Download(UnityWebRequest web, ITransportReceiver receiver)
            {
                this.web = web;
                this.receiver = receiver;
            }

            public bool HasEnough { get; private set; }

            public void TellHead()
            {
                if (hasToldHead) return;
                hasToldHead = true;
                receiver.OnHead((int)web.responseCode, web.GetResponseHeaders() ?? new Dictionary<string, string>());
            }

            protected override bool ReceiveData(byte[] bytes, int count)
            {
                TellHead();
                HasEnough = !receiver.OnBody(bytes, count);
                return !HasEnough;
            }
        }

        private sealed class AnyCertificate : CertificateHandler
        {
            protected override bool ValidateCertificate(byte[] certificate) => true;
        }
    }
}
#endif
