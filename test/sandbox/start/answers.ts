const PAUSE_MS = 50

/** Waits until a URL returns 2xx. Throws after `timeoutMs`. */
export async function untilAnswers(url: string, timeoutMs = 120_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    if (Date.now() > deadline) throw new Error(`${url} does not answer`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
