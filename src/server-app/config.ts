import { readSignInConfig } from '#features/account/server/providers/sign-in-config.ts'
import { readApprovalConfig } from '#features/approvals/server/approval-config.ts'
import { readPaymentConfig } from '#features/billing/server/payments/payment-config.ts'
import { readContentCredentials } from '#features/generations/server/content-credentials/credentials-config.ts'
import { readPushConfig } from '#features/push/server/push-config.ts'
import { readSiteConfig } from '#features/site/server/site-config.ts'
import { type ComfyServer, readServers } from '#providers/comfyui/client.ts'
import { readAgeConfig } from '#server/auth/age-config.ts'
import { readSignInCosts } from '#server/auth/sign-in-costs.ts'
import { readBackupConfig } from '#server/backup/backup-config.ts'
import { type Config, type Environment, loadConfig, type ReadConfig } from '#server/config.ts'
import { readConnectionsConfig } from '#server/http/connections-config.ts'
import { readModerationConfig } from '#server/moderation/moderation-config.ts'
import { readStorageConfig } from '#server/storage/storage-config.ts'

interface ProviderConfig {
  comfyServers: readonly ComfyServer[]
  fal: { key: string; baseUrl: string; keysUrl: string } | undefined
  replicate: { token: string; baseUrl: string; webhookSecret: string | undefined } | undefined
}

declare module '#server/config.ts' {
  interface FeatureConfig {
    providers: ProviderConfig
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
