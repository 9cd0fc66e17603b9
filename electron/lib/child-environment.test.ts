import { describe, expect, it } from "vitest";
import { childEnvironment, withMark } from "./child-environment.ts";

const HOME = { HOME: "/home/ann", PATH: "/usr/bin:/bin", LANG: "en_US.UTF-8" };

describe("the environment of children", () => {
  it.each<{ name: string; base: Record<string, string | undefined>; secrets?: string[]; ownNames?: string[]; child: Record<string, string> }>([
    {
      name: "passes on what is the person's",
      base: { ...HOME, NODE_OPTIONS: "--max-old-space-size=8192" },
      child: { ...HOME, NODE_OPTIONS: "--max-old-space-size=8192" },
    },
    {
      name: "holds back provider keys, not other settings of theirs (F07)",
      base: {
        ...HOME,
        ANTHROPIC_API_KEY: "sk-A",
        OPENAI_API_KEY: "sk-O",
        ANTHROPIC_AUTH_TOKEN: "t",
        OPENAI_ADMIN_KEY: "k",
        ANTHROPIC_CUSTOM_HEADERS: "x: y",
        ANTHROPIC_BASE_URL: "http://localhost",
      },
      child: { ...HOME, ANTHROPIC_BASE_URL: "http://localhost" },
    },
    {
      name: "holds back a stored key under any name, alone or inside a value (F07)",
      base: { ...HOME, MY_LLM: "sk-stored-0001", PROXY: "https://u:sk-stored-0001@proxy", GITHUB_TOKEN: "ghp_other" },
      secrets: ["sk-stored-0001"],
      child: { ...HOME, GITHUB_TOKEN: "ghp_other" },
    },
    { name: "takes no short text for a key", base: { ...HOME, SIZE: "dev" }, secrets: ["dev", ""], child: { ...HOME, SIZE: "dev" } },
    {
      name: "holds back what belongs to Electron and Node's own children (F08)",
      base: {
        ...HOME,
        ELECTRON_RUN_AS_NODE: "1",
        ELECTRON_OVERRIDE_DIST_PATH: "/x",
        CHROME_DESKTOP: "cairn.desktop",
        NODE_CHANNEL_FD: "3",
        NODE_CHANNEL_SERIALIZATION_MODE: "json",
        CAIRN_DATA_DIR: "/d",
      },
      child: HOME,
    },
    {
      name: "gives the desktop its own name back (F08)",
      base: { ...HOME, XDG_CURRENT_DESKTOP: "Unity", ORIGINAL_XDG_CURRENT_DESKTOP: "ubuntu:GNOME" },
      child: { ...HOME, XDG_CURRENT_DESKTOP: "ubuntu:GNOME" },
    },
    {
      name: "takes the AppImage's mount out of every list (F08)",
      base: {
        ...HOME,
        APPIMAGE: "/home/ann/Cairn.AppImage",
        APPDIR: "/tmp/.mount_Cairn",
        PATH: "/tmp/.mount_Cairn:/tmp/.mount_Cairn/usr/sbin:/usr/bin:/bin",
        LD_LIBRARY_PATH: "/tmp/.mount_Cairn/usr/lib:",
        XDG_DATA_DIRS: "/tmp/.mount_Cairn/usr/share:/usr/share",
        OTHER: "/tmp/.mount_CairnTwo/x",
      },
      child: { ...HOME, XDG_DATA_DIRS: "/usr/share", OTHER: "/tmp/.mount_CairnTwo/x" },
    },
    {
      name: "holds back what npm and the launcher set for this app",
      base: {
        ...HOME,
        npm_lifecycle_event: "start",
        npm_package_name: "cairn",
        npm_config_registry: "https://r",
        INIT_CWD: "/app",
        NODE_OPTIONS: "--import x",
      },
      ownNames: ["NODE_OPTIONS"],
      child: { ...HOME, npm_config_registry: "https://r" },
    },
    {
      name: "holds back what changes the meaning of a command that was judged",
      base: { ...HOME, CDPATH: "/elsewhere", BASH_ENV: "/evil", ENV: "/evil", GLOBIGNORE: "*", SHELLOPTS: "nounset", BASHOPTS: "extglob" },
      child: HOME,
    },
  ])("$name", ({ base, secrets = [], ownNames = [], child }) => {
    const before = { ...base };
    expect(childEnvironment(base, { secrets, ownNames })).toEqual(child);
    expect(base).toEqual(before);
  });
});

describe("the mark of a command's processes", () => {
  it("is added to an outer one, which passes through", () => {
    const outer = withMark(HOME, "a1");
    expect(withMark(childEnvironment(outer), "b2")).toEqual({ ...HOME, CAIRN_PROCESS_MARK: "a1:b2" });
  });
});
