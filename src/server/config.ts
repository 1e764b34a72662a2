/** The program's configuration after validation (product.md lists the variables). */
export interface Config {
  role: 'all' | 'web' | 'worker'
  port: number
  host: string
  publicUrl: URL
  /** PUBLIC_URL is a loopback address. */
  loopback: boolean
  dataDir: string
  databaseUrl: string | undefined
  smtpUrl: string | undefined
  mailFrom: string
  jwtSecret: Uint8Array
  fileSigningKey: Uint8Array
  admin: { email: string; password: string | undefined }
  welcomeCredits: number
  engineThreads: number
  /** Queued generations at which new ones get 503. */
  queueLimit: number
  trustedProxies: string[]
  logLevel: string
}
