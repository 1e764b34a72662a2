import { createECDH, randomBytes } from 'node:crypto'
import { accessSync, constants, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { brandName } from '#shared/brand.ts'
import { isEmail, normalizeEmail, passwordMinLength, passwordProblem } from '#shared/credentials.ts'
import {
  ConfigError,
  hostsWithPorts,
  integer,
  listOf,
  mailFrom,
  mailHost,
  oneOf,
  protocol,
  proxies,
  webAddress,
} from './config-values.ts'
import { isLoopbackHost } from './http/local-request.ts'
import { threadsFor } from './memory.ts'
import { decodeConfiguredSecret, previousSecret, storedSecret } from './secrets.ts'

/** Features add their part by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureConfig {}

/** Problems are single lines for the operator. `loopback`: only this machine reaches the server. */
export type ReadConfig<Part> = (
  read: (name: string) => string | undefined,
  loopback: boolean,
) => { config: Part; problem?: undefined } | { config?: undefined; problem: string }

export interface Config extends FeatureConfig {
  role: 'all' | 'web' | 'worker'
  port: number
  host: string
  publicUrl: URL
  /** PUBLIC_URL is a loopback address, or unset with a loopback HOST. */
  loopback: boolean
  dataDir: string
  modelsDir: string
  databaseUrl: string | undefined
  /** Direct address of the database if DATABASE_URL leads to a pooler. */
  databaseDirectUrl?: string | undefined
  smtpUrl: string | undefined
  mailFrom: string
  supportEmail: string
  jwtSecret: Uint8Array
  fileSigningKey: Uint8Array
  /** During a key rotation, tokens and addresses made with these keys are still accepted. */
  previousJwtSecret?: Uint8Array | undefined
  previousFileSigningKey?: Uint8Array | undefined
  /** Hashes mailboxes that had welcome credits; must never change. */
  mailboxKey: Uint8Array
  /**
   * VAPID private key for push services; absent in processes without a shared DATA_DIR and key,
   * which send no push messages.
   */
  vapidKey?: Uint8Array | undefined
  metricsToken: string | undefined
  tracesTo: string | undefined
  admin: { email: string; password: string | undefined }
  welcomeCredits: number
  welcomesDisposable: boolean
  /**
   * Yearly limit of accounts of one domain with welcome credits, except at public mail providers;
   * 0: no limit.
   */
  welcomesPerDomain: number
  /** `elsewhere`: staff whose requests do not come from this machine. */
  staffSecondFactor: 'required' | 'elsewhere' | 'optional'
  /** Delay before a requested removal of the second factor after a password reset. */
  factorRemovalHours: number
  sessionIdleDays: number
  engineThreads: number
  lanes: readonly Lane[]
  /** Queued generations at which new ones get 503. */
  queueLimit: number
  trustedProxies: string[]
  /** `host:port` pairs outside the public network that requests to users' addresses may reach. */
  fetchPrivateHosts: string[]
  /** True if browsers have to use https for the subdomains too (HSTS `includeSubDomains`). */
  hstsSubdomains: boolean
  logLevel: string
}

export type Environment = Record<string, string | undefined>

const lanes = ['pictures', 'video'] as const
export type Lane = (typeof lanes)[number]

const roles = ['all', 'web', 'worker'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const secretMinLength = 32

/**
 * Throws a ConfigError for the first wrong variable. Generates missing secrets once in DATA_DIR,
 * unless several processes must share them. `readOnly` writes nothing: DATA_DIR may be missing, and
 * generated secrets last as long as the process.
 */
export function loadConfig(
  environment: Environment,
  parts: { [Name in keyof FeatureConfig]: ReadConfig<FeatureConfig[Name]> },
  { readOnly = false }: { readOnly?: boolean } = {},
): Config {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined
  const role = oneOf('ROLE', read('ROLE') ?? 'all', roles)
  // A worker serves health checks and metrics on a port that differs from the web server's.
  const port = integer('PORT', read('PORT') ?? (role === 'worker' ? '3001' : '3000'), 1, 65_535)
  const publicUrl = webAddress('PUBLIC_URL', read('PUBLIC_URL') ?? `http://localhost:${port}`)
  const dataDir = resolve(read('DATA_DIR') ?? 'data')
  const databaseUrl = read('DATABASE_URL')
  if (databaseUrl) protocol('DATABASE_URL', databaseUrl, ['postgres:', 'postgresql:'])
  const databaseDirectUrl = read('DATABASE_DIRECT_URL')
  if (databaseDirectUrl) protocol('DATABASE_DIRECT_URL', databaseDirectUrl, ['postgres:', 'postgresql:'])
  const smtpUrl = read('SMTP_URL')
  if (smtpUrl) protocol('SMTP_URL', smtpUrl, ['smtp:', 'smtps:'])
  if (role !== 'all' && !databaseUrl) {
    throw new ConfigError(
      `DATABASE_URL is required when ROLE is ${role}: only one process can use the embedded database`,
    )
  }

  const secret = (name: string, mustShare = role !== 'all'): Uint8Array | undefined => {
    const value = read(name)
    if (value !== undefined) {
      if (value.length < secretMinLength)
        throw new ConfigError(`${name} must have at least ${secretMinLength} characters`)
      return new TextEncoder().encode(value)
    }
    if (mustShare) throw new ConfigError(`${name} is required when ROLE is ${role}: all processes must share it`)
    return undefined
  }
  const jwtSecret = secret('JWT_SECRET')
  const fileSigningKey = secret('FILE_SIGNING_KEY')
  // With remote storage, each process may have its own DATA_DIR.
  const sharesData = role === 'all' || read('STORAGE') === undefined
  const mailboxKey = secret('MAILBOX_KEY', !sharesData)
  const givenVapidKey = vapidKey(read('VAPID_PRIVATE_KEY'), read('VAPID_PUBLIC_KEY'))
  const previousJwtSecret = read('PREVIOUS_JWT_SECRET') ? secret('PREVIOUS_JWT_SECRET') : undefined
  const previousFileSigningKey = read('PREVIOUS_FILE_SIGNING_KEY') ? secret('PREVIOUS_FILE_SIGNING_KEY') : undefined
  if (role !== 'all' && !read('PUBLIC_URL')) {
    throw new ConfigError(`PUBLIC_URL is required when ROLE is ${role}: the links of all mails lead there`)
  }

  const metricsToken = read('METRICS_TOKEN')
  if (metricsToken !== undefined && metricsToken.length < secretMinLength)
    throw new ConfigError(`METRICS_TOKEN must have at least ${secretMinLength} characters`)
  const tracesTo = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (tracesTo) protocol('OTEL_EXPORTER_OTLP_ENDPOINT', tracesTo, ['http:', 'https:'])

  const host = read('HOST') ?? '127.0.0.1'
  // A server on all interfaces is public unless PUBLIC_URL is a loopback address (container proxy).
  const loopback = isLoopbackHost(publicUrl.hostname) && (read('PUBLIC_URL') !== undefined || isLoopbackHost(host))
  const ofFeatures = Object.fromEntries(
    Object.entries<ReadConfig<unknown>>(parts).map(([name, readPart]) => {
      const { config, problem } = readPart(read, loopback)
      if (problem !== undefined) throw new ConfigError(problem)
      return [name, config]
    }),
  ) as unknown as FeatureConfig

  const email = read('ADMIN_EMAIL') ?? 'admin@rupa.test'
  if (!isEmail(email)) throw new ConfigError('ADMIN_EMAIL must be an e-mail address')
  const supportEmail = read('SUPPORT_EMAIL') ?? `support@${mailHost(publicUrl)}`
  if (!isEmail(supportEmail)) throw new ConfigError('SUPPORT_EMAIL must be an e-mail address')
  const password = environment.ADMIN_PASSWORD || undefined
  if (password !== undefined && (passwordProblem(password) || password.length > 200)) {
    throw new ConfigError(
      `ADMIN_PASSWORD must have ${passwordMinLength} to 200 characters, among them a lower and an upper case letter, a digit and one of !@#$%^&*(),.?":{}|<>`,
    )
  }

  const settings = {
    ...ofFeatures,
    role,
    port,
    host,
    publicUrl,
    loopback,
    dataDir,
    modelsDir: resolve(read('MODELS_DIR') ?? join(dataDir, 'models')),
    databaseUrl,
    databaseDirectUrl,
    lanes: lanesOf(read('LANES')),
    smtpUrl,
    mailFrom: mailFrom(read('MAIL_FROM') ?? `${brandName} <no-reply@${mailHost(publicUrl)}>`),
    supportEmail,
    welcomeCredits: integer('WELCOME_CREDITS', read('WELCOME_CREDITS') ?? '25', 0, 1_000_000),
    welcomesDisposable:
      oneOf('DISPOSABLE_EMAIL', read('DISPOSABLE_EMAIL') ?? 'not_welcomed', ['not_welcomed', 'welcomed']) ===
      'welcomed',
    welcomesPerDomain: integer('WELCOMES_PER_DOMAIN', read('WELCOMES_PER_DOMAIN') ?? '3', 0, 1_000_000),
    // PUBLIC_URL may be forgotten, so a loopback address proves nothing.
    staffSecondFactor: oneOf(
      'STAFF_SECOND_FACTOR',
      read('STAFF_SECOND_FACTOR') ?? (loopback ? 'elsewhere' : 'required'),
      ['required', 'elsewhere', 'optional'],
    ),
    factorRemovalHours: integer('FACTOR_REMOVAL_HOURS', read('FACTOR_REMOVAL_HOURS') ?? '48', 24, 168),
    sessionIdleDays: integer('SESSION_IDLE_DAYS', read('SESSION_IDLE_DAYS') ?? '90', 1, 365),
    engineThreads: integer('ENGINE_THREADS', read('ENGINE_THREADS') ?? String(threadsFor()), 1, 256),
    queueLimit: integer('QUEUE_LIMIT', read('QUEUE_LIMIT') ?? '500', 1, 1_000_000),
    metricsToken,
    tracesTo,
    hstsSubdomains: oneOf('HSTS_SUBDOMAINS', read('HSTS_SUBDOMAINS') ?? '0', ['0', '1']) === '1',
    trustedProxies: proxies(read('TRUSTED_PROXIES') ?? ''),
    fetchPrivateHosts: hostsWithPorts('FETCH_PRIVATE_HOSTS', read('FETCH_PRIVATE_HOSTS') ?? ''),
    logLevel: oneOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', logLevels),
    admin: { email: normalizeEmail(email), password },
  }
  // Last, because this step writes: nothing is written if another value is wrong.
  try {
    if (!readOnly) openDataDir(dataDir)
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${(error as Error).message}`)
  }
  const generated = (name: string) => (readOnly ? randomBytes(secretMinLength) : storedSecret(dataDir, name))
  const previous = (name: string) => (readOnly ? undefined : previousSecret(dataDir, name))
  return {
    ...settings,
    jwtSecret: jwtSecret ?? generated('jwt'),
    fileSigningKey: fileSigningKey ?? generated('file-signing'),
    previousJwtSecret: previousJwtSecret ?? previous('jwt'),
    previousFileSigningKey: previousFileSigningKey ?? previous('file-signing'),
    mailboxKey: mailboxKey ? decodeConfiguredSecret(mailboxKey) : generated('mailboxes'),
    // Nearly any 32 random bytes are a valid key of the curve.
    vapidKey: givenVapidKey ?? (sharesData ? generated('vapid') : undefined),
  }
}

/** Private key of a VAPID pair, base64url; a public key, if given, has to belong to it. */
function vapidKey(privateKey: string | undefined, publicKey: string | undefined): Uint8Array | undefined {
  if (!privateKey && !publicKey) return undefined
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey ?? '', 'base64url')
  } catch {
    throw new ConfigError('VAPID_PRIVATE_KEY must be a private key of P-256 as 43 characters of base64url')
  }
  if (publicKey && pair.getPublicKey('base64url') !== publicKey.replace(/=+$/, ''))
    throw new ConfigError('VAPID_PUBLIC_KEY does not belong to VAPID_PRIVATE_KEY')
  return new Uint8Array(pair.getPrivateKey())
}

function lanesOf(value = lanes.join()): Lane[] {
  return listOf(value).map((lane) => oneOf('LANES', lane, lanes))
}

/**
 * Creates DATA_DIR and tests that it is writable; throws a readable reason. Creates one folder at a
 * time: recursive creation never ends on file systems like /proc.
 */
function openDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    const probe = join(dataDir, `.probe.${process.pid}`)
    writeFileSync(probe, '', { mode: 0o600 })
    rmSync(probe)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(`${dataDir} cannot be used: ${reasons[code ?? ''] ?? code ?? message}`)
  }
}

const reasons: Record<string, string> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'it is, or lies below, a file',
  ENOSPC: 'the disk is full',
  ENOENT: 'no folder can be made there',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
}

function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw Object.assign(new Error(), { code: 'ENOTDIR' })
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}
