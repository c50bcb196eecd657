import Models
import StrideTestSupport
import Testing

/// The page about the API, as the gateway serves it.
@Suite(.serialized) struct GatewayDocumentTests {
    @Test("The page has every call of the API, loads nothing from elsewhere, and what it is made from lies beside it")
    func page() async throws {
        try await GatewayStand.run { stand in
            let page = try await stand.call("GET", "/docs/api")
            #expect(page.status == 200 && page["Content-Type"] == "text/html; charset=utf-8")
            let policy = try #require(page["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("script") && !policy.contains("http"))
            #expect(!page.text.contains("<script") && !page.text.contains("src=") && !page.text.contains("href=\"http"))
            for path in APIContract.paths {
                let text = path.template.replacing("/", with: "/<wbr>")
                #expect(page.text.contains("<code>\(text)</code>"), "\(path.template)")
            }
            let style = try await stand.call("GET", "/docs/api.css")
            #expect(style.status == 200 && style["Content-Type"] == "text/css; charset=utf-8")
            let source = try await stand.call("GET", "/docs/openapi.yaml")
            #expect(source["Content-Type"] == "application/yaml; charset=utf-8")
            #expect(source.text.hasPrefix("openapi: 3.1"))
            let known = [("If-None-Match", source["ETag"] ?? "")]
            #expect(try await stand.call("GET", "/docs/openapi.yaml", fields: known).status == 304)
        }
    }

    @Test("No other file is there, and the pages take no other method than GET and HEAD")
    func nothingElse() async throws {
        try await GatewayStand.run { stand in
            for path in ["/docs/", "/docs", "/docs/api.html", "/docs/../gateway.conf", "/docs/x", "/docs/api/"] {
                let answer = try await stand.call("GET", path)
                #expect(answer.status == 404 && answer.json["code"] == "NOT_FOUND", "\(path) \(answer)")
            }
            #expect(try await stand.call("HEAD", "/docs/api").status == 200)
            for method in ["POST", "DELETE"] {
                let answer = try await stand.call(method, "/docs/api")
                #expect(answer.status == 405 && answer.json["code"] == "METHOD_NOT_ALLOWED", "\(answer)")
                #expect(answer["Allow"] == "GET, HEAD")
            }
            #expect(try await stand.call("TRACE", "/docs/api").status == 501)
        }
    }
}
