const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/**
 * Throws unless the environment is that of a sandbox: not production, and with the payment gateway on this machine. In
 * all others the time must not move, since it is wrong for real money, tokens and signatures.
 */
export function refuseProduction(env: Record<string, string | undefined>): void {
  const faults = [
    ...(env.NODE_ENV === 'production' ? ['NODE_ENV: must not be production'] : []),
    ...(isLocal(env.STRIPE_API_URL) ? [] : ["STRIPE_API_URL: must be the sandbox's gateway on this machine"]),
    ...(/^[a-z]+_live_/.test(env.STRIPE_SECRET_KEY ?? '')
      ? ['STRIPE_SECRET_KEY: must not be a live key']
      : []),
    ...(env.SANDBOX_CLOCK ? [] : ['SANDBOX_CLOCK: must name the file of the offset']),
  ]
  if (faults.length > 0)
    throw new Error(`Only a process of the sandbox can follow its clock:\n  ${faults.join('\n  ')}`)
}

const isLocal = (url: string | undefined): boolean =>
  url !== undefined && URL.canParse(url) && LOCAL_HOSTS.includes(new URL(url).hostname)
