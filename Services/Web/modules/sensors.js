// Motion, position and the lit screen: what the browser gives goes to whoever asked, and nowhere else.

const gravity = 9.80665; // metres per second squared

// Asks for motion and hands on each sample: milliseconds since 1970, and the acceleration with gravity in g.
// Resolves to "granted", "denied" or "absent"; motion that never comes is absent, because browsers do not say.
export async function startMotion(onSample) {
    if (!("DeviceMotionEvent" in window)) return { state: "absent", stop() {} };
    if (DeviceMotionEvent.requestPermission) { // Safari asks, and only within a touch
        const answer = await DeviceMotionEvent.requestPermission().catch(() => "denied");
        if (answer !== "granted") return { state: "denied", stop() {} };
    }
    if (await permission("accelerometer") === "denied") return { state: "denied", stop() {} };
    let heard = () => {};
    const listener = (event) => {
        const { x, y, z } = event.accelerationIncludingGravity ?? {};
        if (x === null || x === undefined || y === null || z === null) return;
        heard();
        onSample(performance.timeOrigin + event.timeStamp, x / gravity, y / gravity, z / gravity);
    };
    const first = new Promise((resolve) => {
        heard = () => resolve("granted");
        setTimeout(() => resolve("absent"), 3000);
    });
    window.addEventListener("devicemotion", listener);
    return { state: await first, stop: () => window.removeEventListener("devicemotion", listener) };
}

// Asks for positions and hands on each fix: milliseconds since 1970, degrees, metres. `onState` hears "granted", "denied" or "absent", also later.
export function startPosition(onFix, onState) {
    if (!navigator.geolocation) {
        onState("absent");
        return { stop() {} };
    }
    const watch = navigator.geolocation.watchPosition(({ coords, timestamp }) => {
        onState("granted");
        onFix(timestamp, coords.latitude, coords.longitude, coords.accuracy ?? -1);
    }, (error) => {
        if (error.code === error.PERMISSION_DENIED) onState("denied");
        else onState("searching");
    }, { enableHighAccuracy: true, maximumAge: 0, timeout: 20_000 });
    return { stop: () => navigator.geolocation.clearWatch(watch) };
}

// Keeps the screen lit, again after each return to the page. `onState` hears true and false.
export function startScreen(onState) {
    let lock = null;
    let wanted = true;
    const take = async () => {
        if (!wanted || document.visibilityState !== "visible" || lock) return;
        try {
            lock = await navigator.wakeLock.request("screen");
            lock.addEventListener("release", () => {
                lock = null;
                if (wanted) onState(false);
            });
            if (wanted) onState(true);
            else await lock.release();
        } catch {
            onState(false);
        }
    };
    if (!("wakeLock" in navigator)) onState(false);
    else take();
    document.addEventListener("visibilitychange", take);
    return {
        stop() {
            wanted = false;
            document.removeEventListener("visibilitychange", take);
            lock?.release().catch(() => {});
        },
    };
}

async function permission(name) {
    try {
        return (await navigator.permissions.query({ name })).state;
    } catch {
        return "prompt"; // this browser has no such name
    }
}
