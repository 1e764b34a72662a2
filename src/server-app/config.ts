import { readSignInConfig } from '#features/account/server/providers/sign-in-config.ts'
import { type ApprovalUnit, defaultThresholds } from '#features/approvals/rules.ts'
import { readPaymentConfig } from '#features/billing/server/payments/payment-config.ts'
import { readContentCredentials } from '#features/generations/server/content-credentials/credentials-config.ts'
import { readPushConfig } from '#features/push/server/push-config.ts'
import { type ComfyServer, readServers } from '#providers/comfyui/client.ts'
import { readAgeConfig } from '#server/auth/age-config.ts'
import { readBackupConfig } from '#server/backup/backup-target.ts'
import { type Config, type Environment, loadConfig, type ReadConfig } from '#server/config.ts'
import { integer } from '#server/config-values.ts'
import { readStorageConfig } from '#server/storage/storage-config.ts'
import { isEmail } from '#shared/credentials.ts'

/** Null: no amount needs a second member of staff. */
interface Threshold {
  above: number | null
  /**
   * Without a second member of staff no action above the amount is possible. Off by default, so
   * that a shop with a single admin works.
   */
  strict: boolean
}

type ApprovalConfig = Record<ApprovalUnit, Threshold>

/** Shown on public pages; null for SUPPORT_EMAIL, or to leave the entry out. */
interface SiteConfig {
  dataOfficer: { name: string | null; email: string | null }
  /** Registration as an electronic system provider (PSE) at Indonesia's ministry. */
  pseNumber: string | null
  complaints: { email: string | null; phone: string | null }
}

interface ProviderConfig {
  comfyServers: readonly ComfyServer[]
  fal: { key: string; baseUrl: string; keysUrl: string } | undefined
  replicate: { token: string; baseUrl: string; webhookSecret: string | undefined } | undefined
}

declare module '#server/config.ts' {
  interface FeatureConfig {
    approvals: ApprovalConfig
    providers: ProviderConfig
    site: SiteConfig
    signInCosts: SignInCosts
    moderation: ModerationConfig
  }
}

const readProviderConfig: ReadConfig<ProviderConfig> = (read) => {
  const servers = read('COMFYUI_SERVERS')
  let comfyServers: ComfyServer[]
  try {
    comfyServers = servers ? readServers(servers) : []
  } catch {
    return {
      problem: 'COMFYUI_SERVERS must be addresses with commas between, or JSON: [{"url":"https://…","headers":{…}}]',
    }
  }
  const origins = {
    FAL_BASE_URL: read('FAL_BASE_URL') ?? 'https://queue.fal.run',
    FAL_KEYS_URL: read('FAL_KEYS_URL') ?? 'https://rest.fal.ai/.well-known/jwks.json',
    REPLICATE_BASE_URL: read('REPLICATE_BASE_URL') ?? 'https://api.replicate.com',
  }
  for (const [name, value] of Object.entries(origins)) {
    if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) return { problem: `${name} must be an address` }
  }
  const webhookSecret = read('REPLICATE_WEBHOOK_SECRET')
  if (webhookSecret && !webhookSecret.startsWith('whsec_'))
    return { problem: 'REPLICATE_WEBHOOK_SECRET must begin with whsec_' }
  const [key, token] = [read('FAL_KEY'), read('REPLICATE_API_TOKEN')]
  const falBase = origins.FAL_BASE_URL.replace(/\/+$/, '')
  const replicateBase = origins.REPLICATE_BASE_URL.replace(/\/+$/, '')
  return {
    config: {
      comfyServers,
      fal: key ? { key, baseUrl: falBase, keysUrl: origins.FAL_KEYS_URL } : undefined,
      replicate: token ? { token, baseUrl: replicateBase, webhookSecret } : undefined,
    },
  }
}

/** Whole numbers, or `off`. */
const readApprovalConfig: ReadConfig<ApprovalConfig> = (read) => {
  const credits = thresholdOf('credits', read('APPROVAL_CREDITS'))
  if (!credits) return { problem: 'APPROVAL_CREDITS must be a whole number, or off' }
  const idr = thresholdOf('idr', read('APPROVAL_IDR'))
  if (!idr) return { problem: 'APPROVAL_IDR must be a whole number, or off' }
  return { config: { credits, idr } }
}

function thresholdOf(unit: ApprovalUnit, given: string | undefined): Threshold | undefined {
  if (given === undefined) return { above: defaultThresholds[unit], strict: false }
  if (given === 'off') return { above: null, strict: false }
  return /^\d{1,12}$/.test(given) ? { above: Number(given), strict: true } : undefined
}

const readSiteConfig: ReadConfig<SiteConfig> = (read) => {
  const emails = { DATA_OFFICER_EMAIL: read('DATA_OFFICER_EMAIL'), COMPLAINTS_EMAIL: read('COMPLAINTS_EMAIL') }
  for (const [name, value] of Object.entries(emails)) {
    if (value !== undefined && !isEmail(value)) return { problem: `${name} must be an e-mail address` }
  }
  const phone = read('COMPLAINTS_PHONE') ?? null
  if (phone !== null && !/^\+?[\d\s().-]{5,30}$/.test(phone))
    return { problem: 'COMPLAINTS_PHONE must be a telephone number, such as +62 812-3456-7890' }
  const pseNumber = read('PSE_NUMBER') ?? null
  if (pseNumber !== null && pseNumber.length > 60) return { problem: 'PSE_NUMBER must have at most 60 characters' }
  return {
    config: {
      dataOfficer: { name: read('DATA_OFFICER_NAME') ?? null, email: emails.DATA_OFFICER_EMAIL ?? null },
      pseNumber,
      complaints: { email: emails.COMPLAINTS_EMAIL ?? null, phone },
    },
  }
}

/** Work and waits that slow down attackers. Constant in production; tests use cheap ones. */
export interface SignInCosts {
  /** argon2id: KiB of memory and passes of one lane. */
  passwordHash: { memory: number; passes: number }
  /**
   * Milliseconds after which routes respond whose work depends on the account; longer than the work
   * usually takes, so that one interval mostly suffices.
   */
  responseInterval: number
}

const readSignInCosts: ReadConfig<SignInCosts> = () => ({
  // OWASP's minimum for argon2id.
  config: { passwordHash: { memory: 19_456, passes: 2 }, responseInterval: 250 },
})

/** So many different refused contents within the window limit an account; null: never. */
interface ModerationConfig {
  refusals: number | null
  windowHours: number
  limitHours: number
}

/** The window is not longer than refusals are kept. */
const maxWindowHours = 30 * 24
const maxLimitHours = 365 * 24

const readModerationConfig: ReadConfig<ModerationConfig> = (read) => {
  const refusals = read('REFUSALS_BEFORE_LIMIT') ?? '5'
  return {
    config: {
      refusals: refusals === 'off' ? null : integer('REFUSALS_BEFORE_LIMIT', refusals, 1, 1000),
      windowHours: integer('REFUSAL_WINDOW_HOURS', read('REFUSAL_WINDOW_HOURS') ?? '24', 1, maxWindowHours),
      limitHours: integer('REFUSAL_LIMIT_HOURS', read('REFUSAL_LIMIT_HOURS') ?? '24', 1, maxLimitHours),
    },
  }
}

export interface ConnectionsConfig {
  all: number
  /** Concurrent requests instead, if a trusted proxy passes them on. */
  perAddress: number
  headersMilliseconds: number
  /** Applies to bodies of at most 64 KB; a larger one may take longer. */
  bodyMilliseconds: number
}

declare module '../server/config.ts' {
  interface FeatureConfig {
    connections: ConnectionsConfig
  }
}

const readConnectionsConfig: ReadConfig<ConnectionsConfig> = (read) => {
  return {
    config: {
      all: integer('CONNECTIONS', read('CONNECTIONS') ?? '4000', 10, 1_000_000),
      perAddress: integer('CONNECTIONS_EACH', read('CONNECTIONS_EACH') ?? '400', 10, 1_000_000),
      headersMilliseconds: 1000 * integer('HEADERS_SECONDS', read('HEADERS_SECONDS') ?? '10', 1, 120),
      bodyMilliseconds: 1000 * integer('BODY_SECONDS', read('BODY_SECONDS') ?? '15', 1, 600),
    },
  }
}

const parts = {
  age: readAgeConfig,
  approvals: readApprovalConfig,
  payment: readPaymentConfig,
  contentCredentials: readContentCredentials,
  moderation: readModerationConfig,
  push: readPushConfig,
  signIn: readSignInConfig,
  signInCosts: readSignInCosts,
  site: readSiteConfig,
  backup: readBackupConfig,
  storage: readStorageConfig,
  connections: readConnectionsConfig,
  providers: readProviderConfig,
}

export const readConfig = (environment: Environment, options?: { readOnly?: boolean }): Config =>
  loadConfig(environment, parts, options)
