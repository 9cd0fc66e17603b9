// Entry of the headless command. Nothing but this line is in it: what an entry holds, the built parts would have to take from it
// before it is ready.
void import("#electron/boot/cli-main.ts").then(({ runCommand }) => runCommand());
