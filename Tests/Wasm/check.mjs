// Checks core.wasm in Node: it needs nothing from outside, answers events, survives noise, does what the host's build does
// for the same made-up lives (core-check.wasm), holds as many blocks after a million events as after a thousand, and
// counts steps at 100 Hz for less than a hundredth of a processor's time.
// usage: node check.mjs FOLDER [SEED=FINGERPRINT…]
import { readFileSync } from "node:fs";

const [folder, ...expected] = process.argv.slice(2);
const load = (name) => new WebAssembly.Module(readFileSync(`${folder}/${name}.wasm`));
const module = load("core");
const imports = WebAssembly.Module.imports(module);
if (imports.length) fail(`it wants imports: ${JSON.stringify(imports)}`);

class Core {
  constructor() {
    this.x = new WebAssembly.Instance(module, {}).exports;
    this.x.core_seed(0x9e3779b97f4a7c15n);
  }
  bytes(event) {
    const at = this.x.core_input(event.length);
    new Uint8Array(this.x.memory.buffer, at, event.length).set(event);
    const count = this.x.core_json();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(this.x.memory.buffer, this.x.core_output(), count)));
  }
  send(event) { return this.bytes(new TextEncoder().encode(JSON.stringify(event))); }
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
const check = (isTrue, text) => isTrue || fail(text);

// A day of somebody at home.
const core = new Core();
let now = 1764500000000;
const zone = { name: "Europe/Berlin", offsets: [[1761440400000, 3600], [1774746000000, 7200]] };
const started = core.send({
  type: "start", now, zone, seed: "00112233445566778899aabbccddeeff", online: false, signed_in: true, device_id: "node",
});
check(started.some((e) => e.type === "store"), "the device's name is not stored");
core.send({ type: "open", now, view: "home" });
const added = core.send({
  type: "add_workout", now, start_time: now - 3600000, end_time: now - 1800000, steps: 2000, distance: 1500.5,
});
const home = added.find((e) => e.type === "show").model;
check(home.day.steps.waiting === 2000 && home.day.distance.total === 1500.5, "a workout by hand does not show");
const online = core.send({ type: "online", now, online: true });
const upload = online.find((e) => e.type === "send");
check(upload?.path === "/v1/workouts/batch" && upload.body.workouts[0].distance === 1500.5, "nothing is sent");

// What makes no sense is said, and nothing else happens.
for (const noise of ["", "{", "[]", '{"type":1}', '{"type":"tick"}', '{"type":"tick","now":1e999}', '{"a":"\\ud800"}', "\xff"]) {
  const effects = core.bytes(Buffer.from(noise, "latin1"));
  check(effects.length === 1 && effects[0].type === "report", `noise ${noise}: ${JSON.stringify(effects)}`);
}

// The same made-up lives as on the host.
const lives = load("core-check");
for (const pair of expected) {
  const [seed, fingerprint] = pair.split("=");
  const own = BigInt.asUintN(64, new WebAssembly.Instance(lives, {}).exports.rehearse(BigInt(seed), 800)).toString();
  check(own === fingerprint, `seed ${seed}: ${own} here, ${fingerprint} on the host`);
}

// Blocks stay level: the same event again and again, with screens that change.
const steady = new Core();
steady.send({ type: "start", now, zone, seed: "00112233445566778899aabbccddeeff", online: false, signed_in: true, device_id: "node" });
steady.send({ type: "open", now, view: "home" });
const count = Number(process.env.STRIDE_WASM_EVENTS ?? 1000000);
const text = (at) => new TextEncoder().encode(`{"type":"tick","now":${at}}`);
for (let i = 0; i < 1000; i++) steady.bytes(text((now += 1)));
const blocks = steady.x.core_live_blocks();
const pages = steady.x.memory.buffer.byteLength / 65536;
const began = performance.now();
for (let i = 0; i < count; i++) {
  const event = text((now += 1));
  new Uint8Array(steady.x.memory.buffer, steady.x.core_input(event.length), event.length).set(event);
  steady.x.core_json();
}
const micros = ((performance.now() - began) * 1000) / count;
const after = steady.x.core_live_blocks();
check(Math.abs(after - blocks) <= 16, `blocks grew from ${blocks} to ${after}`);
check(steady.x.memory.buffer.byteLength / 65536 <= pages + 1, "memory grew");

// Ten minutes of a walk as a phone's sensor shows it, 100 times a second: the bounce of 1.8 steps a second.
const walker = new Core();
walker.send({ type: "start", now, zone, seed: "00112233445566778899aabbccddeeff", online: false, signed_in: true, device_id: "node" });
walker.send({ type: "open", now, view: "home" });
walker.send({ type: "track", now, command: "start" });
const seconds = 600;
let walked = null;
const left = process.cpuUsage();
for (let i = 0; i < seconds * 100; i++) {
  const t = now + i * 10;
  const phase = 2 * Math.PI * 1.8 * i / 100;
  const bounce = 0.28 * Math.sin(phase) + 0.08 * Math.sin(2 * phase + 0.6);
  if (walker.x.core_motion(t, 0.05 * Math.sin(phase / 2), 0.2, 0.98 + bounce) === 1) {
    walked = walker.send({ type: "tick", now: Math.ceil(t) }).find((e) => e.type === "show")?.model ?? walked;
  }
}
const { user, system } = process.cpuUsage(left);
const share = (user + system) / 1e6 / seconds;
check(Math.abs(walked?.track.steps - seconds * 1.8) <= 20, `${walked?.track.steps} steps of ${seconds * 1.8}`);
check(share < 0.01, `counting steps takes ${(share * 100).toFixed(2)} % of a processor`);
console.log(`core.wasm: counting steps at 100 Hz takes ${(share * 100).toFixed(3)} % of a processor`);
console.log(`core.wasm: ${expected.length} lives as on the host, ${count} events at ${micros.toFixed(1)} µs, ${after} blocks live`);
