// What can be told about a path from its text alone, before anything touches it (P2). Pure.

export type PathPlatform = { readonly ignoresCase: boolean; readonly windows: boolean };

export function platformOf(platform: string): PathPlatform {
  return { ignoresCase: platform === "darwin" || platform === "win32", windows: platform === "win32" };
}

/** `\\host\share` and `//host/share`: opening one can send the person's password hash to that host. */
export function isNetworkPath(path: string): boolean {
  return /^(?:\\\\|\/\/)[^\\/]/.test(path) && !isDevicePrefix(path);
}

/** `\\.\PhysicalDrive0`, `\\?\…`: names that bypass the file system's own rules. */
export function isDevicePrefix(path: string): boolean {
  return /^(?:\\\\|\/\/)[.?][\\/]/.test(path);
}

const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/;

/** Devices that hold nothing: writing to them changes nothing, reading tells nothing. */
export function isHarmlessDevice(path: string): boolean {
  return HARMLESS_DEVICES.test(path);
}

/** Anything else below /dev, and Windows' reserved names. */
export function isDeviceName(path: string): boolean {
  if (isDevicePrefix(path)) return true;
  return /^\/dev\/./.test(path) && !isHarmlessDevice(path) && !path.startsWith("/dev/shm/");
}

/** The path as the guards compare it: `/` between names, lower case, without what file systems ignore in a name. */
export function comparable(path: string, platform: PathPlatform): string {
  let text = path.normalize("NFC").replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "");
  // NTFS drops dots and spaces at the end of a name, and `name::$DATA` is the file itself.
  if (platform.windows)
    text = text
      .replaceAll("\\", "/")
      .split("/")
      .map((name, at) => (at === 0 ? name : name.replace(/:.*$/, "").replace(/(?<=[^. ])[. ]+$/, "")))
      .join("/");
  return text.toLowerCase();
}

/** True for `folder` itself and everything below it. Both absolute. */
export function isInside(path: string, folder: string, platform: PathPlatform): boolean {
  const [inner, outer] = platform.ignoresCase
    ? [comparable(path, platform), comparable(folder, platform)]
    : [slashes(path, platform), slashes(folder, platform)];
  const base = outer.endsWith("/") ? outer : `${outer}/`;
  return inner === outer || inner.startsWith(base);
}

/** `..` and `.` folded as text. Through a link they lead elsewhere, so guards look at the real path; this is for words to a person. */
export function foldPath(path: string): string {
  const kept: string[] = [];
  for (const name of path.replaceAll("\\", "/").split("/")) {
    if (name === "..") kept.pop();
    else if (name !== "" && name !== ".") kept.push(name);
  }
  return `${path.startsWith("/") ? "/" : ""}${kept.join("/")}`;
}

function slashes(path: string, platform: PathPlatform): string {
  return platform.windows ? path.replaceAll("\\", "/") : path;
}

/** Names that may stand for another file (`PROGRA~1`, streams): their text does not say what they are. */
export function isAmbiguousName(path: string, platform: PathPlatform): boolean {
  return platform.windows && (/~\d/.test(path) || /:/.test(path.replace(/^[A-Za-z]:/, "")));
}
