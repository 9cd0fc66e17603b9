// The one function we use of picomatch, which ships no types.
declare module "picomatch" {
  function picomatch(
    pattern: string | readonly string[],
    options?: { readonly dot?: boolean; readonly nocase?: boolean; readonly windows?: boolean },
  ): (text: string) => boolean;
  export = picomatch;
}
