// Stands in the head of the shop, before everything that is asked for: the visitor's session is the first of a chain
// of calls, and the files of the program are on their way meanwhile. sessionKeeper.ts takes it.
{
  const call = { sentMs: Date.now() };
  const signal = AbortSignal.timeout(20000);
  call.answer = fetch("/v1/box-office/session", { method: "POST", signal }).then((answer) => {
    call.cameMs = Date.now();
    return answer;
  });
  call.answer.catch(() => undefined);
  globalThis.bespeakSession = call;
}
