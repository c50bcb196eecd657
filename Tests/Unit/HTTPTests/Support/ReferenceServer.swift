import StrideTestSupport

/// nginx before an nginx: the first reads whole requests, as a gateway does, the second says which it was given.
final class ReferenceServer: Sendable {
    let port: UInt16
    private let folder: TestFolder
    private let child: ChildProcess

    /// Starts it and waits until it answers.
    init() async throws {
        let (front, back) = (try FreePort.likely(), try FreePort.likely())
        port = front
        folder = try TestFolder()
        try folder.write("nginx.conf", Self.configuration(in: folder.path, front, back))
        // As root, nginx would lend its workers an account that may not enter the folder.
        let configuration = folder.path + "/nginx.conf"
        child = try ChildProcess(
            "/usr/sbin/nginx",
            ["-e", "stderr", "-p", folder.path, "-g", "user root;", "-c", configuration],
            log: folder.path + "/nginx.log")
        let child = child
        try await eventually("nginx answers", within: .seconds(60)) {
            if child.ending != nil { throw Late("nginx ended at its start: \(child.log)") }
            return (try? RawClient(port: front)) != nil
        }
    }

    func end() async throws {
        child.signal(3)
        _ = try await child.wait(within: .seconds(60))
    }

    private static func configuration(in folder: String, _ front: UInt16, _ back: UInt16) -> String {
        """
        daemon off;
        pid \(folder)/nginx.pid;
        worker_processes 1;
        events { worker_connections 512; }
        http {
            access_log off;
            client_header_timeout 3s;
            client_body_timeout 3s;
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            server {
                listen 127.0.0.1:\(front);
                location / {
                    proxy_pass http://127.0.0.1:\(back);
                    proxy_http_version 1.1;
                }
            }
            server {
                listen 127.0.0.1:\(back);
                location / { return 200 "ran $request_method $request_uri"; }
            }
        }

        """
    }
}
