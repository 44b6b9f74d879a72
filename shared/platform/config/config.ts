import { Ajv } from 'ajv'
import { type Config, Environment } from './environment.ts'
import { exposureFaults, productionFaults } from './production-faults.ts'

export type { Config } from './environment.ts'

const check = new Ajv({ coerceTypes: true, useDefaults: true, allErrors: true }).compile<Config>(Environment)

/** An invalid environment. The message names every invalid variable. */
export class ConfigError extends Error {}

/**
 * Validates an environment and applies defaults. Throws `ConfigError`, which names each missing or invalid variable.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const known = Object.keys(Environment.properties)
  const given = Object.fromEntries(known.filter((name) => env[name]).map((name) => [name, env[name]]))
  const faults = check(given)
    ? []
    : (check.errors ?? []).map((e) => `${e.instancePath.slice(1) || e.params.missingProperty}: ${e.message}`)
  const config = given as unknown as Config
  faults.push(
    ...duplicateKeyIds(given),
    ...mixedStripeKeys(config),
    ...incompleteGroup(given, BUCKET, 'bucket'),
    ...incompleteGroup(given, CHALLENGE, 'challenge'),
    ...forwardedHostFaults(config),
    ...exposureFaults(config),
    ...(config.NODE_ENV === 'production' ? productionFaults(config, env) : []),
  )
  if (faults.length)
    throw new ConfigError(`The environment is not valid:\n  ${faults.join('\n  ')}\nSee README.md.`)
  return Object.freeze(config)
}

/**
 * Returns a fault if one Stripe key is for tests and the other is live: a browser with a test key cannot confirm a live
 * payment.
 */
function mixedStripeKeys({ STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY }: Partial<Config>): string[] {
  const [secret, publishable] = [STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY].map(
    (key) => /_(test|live)_/.exec(key ?? '')?.[1],
  )
  if (!secret || !publishable || secret === publishable) return []
  return [`STRIPE_PUBLISHABLE_KEY: must be a ${secret} key, as STRIPE_SECRET_KEY is`]
}

const forwardedHostFaults = ({ TRUST_FORWARDED_HOST, TRUST_PROXY }: Partial<Config>): string[] =>
  TRUST_FORWARDED_HOST && !TRUST_PROXY ? ['TRUST_FORWARDED_HOST: needs TRUST_PROXY'] : []

const BUCKET = ['IMAGES_URL', 'S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
const CHALLENGE = ['CHALLENGE_VERIFY_URL', 'CHALLENGE_SITE_KEY', 'CHALLENGE_SECRET']

/** Returns faults if only some variables of a group are set. A bucket or a challenge needs all of its variables. */
function incompleteGroup(
  given: Record<string, string | undefined>,
  names: string[],
  group: string,
): string[] {
  const missing = names.filter((name) => !given[name])
  if (missing.length === names.length) return []
  return missing.map((name) => `${name}: must be set with the other variables of the ${group}`)
}

/**
 * Returns faults for repeated key ids. Only the last key of an id is used, so nothing could decrypt data of the other.
 */
const duplicateKeyIds = (given: Record<string, string | undefined>): string[] =>
  ['TOKEN_KEYS', 'ENCRYPTION_KEYS']
    .filter((name) => hasDuplicates(given[name] ?? ''))
    .map((name) => `${name}: must name each key once`)

function hasDuplicates(keys: string): boolean {
  const kids = keys.split(',').map((pair) => pair.split(':')[0])
  return new Set(kids).size < kids.length
}

let loaded: Config | undefined

/** Returns the process's configuration, read once from its environment. */
export function config(): Config {
  loaded ??= readConfig(process.env)
  return loaded
}

/** Makes the next `config()` read the environment again. For tests. */
export function resetConfig(): void {
  loaded = undefined
}

/** Returns the database URL for queues and LISTEN, which need a session of their own. */
export const directUrl = (): string => config().DATABASE_DIRECT_URL ?? config().DATABASE_URL

/** Returns the default of a variable. */
export const defaultOf = (name: keyof Config): unknown =>
  (Environment.properties[name] as { default?: unknown }).default

/** Name, default and description of every variable, for the README's table. */
export const describeConfig = () =>
  Object.entries(Environment.properties).map(([name, schema]) => {
    const { default: fallback, description } = schema as {
      default?: unknown
      description?: string
    }
    return { name, fallback, description: description ?? '' }
  })
