import { readSignInConfig } from '#features/account/server/providers/sign-in-config.ts'
import { readSignInCosts } from '#features/account/server/sign-in/sign-in-costs.ts'
import { readApprovalConfig } from '#features/approvals/server/approval-config.ts'
import { readPaymentConfig } from '#features/billing/server/payments/payment-config.ts'
import { readContentCredentials } from '#features/generations/server/content-credentials/credentials-config.ts'
import { readPushConfig } from '#features/push/server/push-config.ts'
import { readBackupConfig } from '#server/backup/backup-config.ts'
import { type Config, type Environment, loadConfig } from '#server/config.ts'
import { readConnectionsConfig } from '#server/http/connections-config.ts'
import { readStorageConfig } from '#server/storage/storage-config.ts'
import { readProviderConfig } from './provider-config.ts'

const parts = {
  approvals: readApprovalConfig,
  payment: readPaymentConfig,
  contentCredentials: readContentCredentials,
  push: readPushConfig,
  signIn: readSignInConfig,
  signInCosts: readSignInCosts,
  backup: readBackupConfig,
  storage: readStorageConfig,
  connections: readConnectionsConfig,
  providers: readProviderConfig,
}

export const readConfig = (environment: Environment, options?: { readOnly?: boolean }): Config =>
  loadConfig(environment, parts, options)
