import { readSignInConfig } from '#features/account/server/providers/sign-in-config.ts'
import { type ApprovalUnit, defaultThresholds } from '#features/approvals/rules.ts'
import { readPaymentConfig } from '#features/billing/server/payments/payment-config.ts'
import { readContentCredentials } from '#features/generations/server/content-credentials/credentials-config.ts'
import { readPushConfig } from '#features/push/server/push-config.ts'
import { type ComfyServer, readServers } from '#providers/comfyui/client.ts'
import { readAgeConfig } from '#server/auth/age-config.ts'
import { readSignInCosts } from '#server/auth/sign-in-costs.ts'
import { readBackupConfig } from '#server/backup/backup-config.ts'
import { type Config, type Environment, loadConfig, type ReadConfig } from '#server/config.ts'
import { readConnectionsConfig } from '#server/http/connections-config.ts'
import { readModerationConfig } from '#server/moderation/moderation-config.ts'
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
