import { availableParallelism } from 'node:os'
import { constants } from 'node:zlib'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'
import { VitePWA } from 'vite-plugin-pwa'
import { defineConfig } from 'vitest/config'
import { chunkFileNames, chunkGroups } from './src/dev/chunks.ts'
import { brotliQuality } from './src/dev/compression.ts'
import { compressWorker, writeOfflinePack } from './src/dev/offline-pack.ts'
import { pageNames } from './src/dev/page-names.ts'
import { prerender } from './src/dev/prerender.ts'
import { resolveOnce, roomToGrow } from './src/dev/run.mjs'
import { readToolContracts, toolRoutes } from './src/dev/tool-routes.ts'
import { manifest } from './src/features/installed-app/app/manifest.ts'

// All of lingui's plugins read it.
process.env.LINGUI_CONFIG ??= 'locale/lingui.config.ts'

const tools = await readToolContracts()
const apiOrigin = `http://127.0.0.1:${process.env.PORT ?? 3000}`

/** Set by src/dev/test.mjs: a PostgreSQL for the API tests. */
const postgres = process.env.POSTGRES_URL
/**
 * Tests whose subject is the ledger, the queue, or the databases themselves run on both. Every
 * other file runs once: on PostgreSQL where there is one, for only there transactions meet, and the
 * browser tests have the embedded one. `npm run soak` runs what is about money and runs on both.
 */
const onBoth = ['credits', 'events', 'jobs', 'photo-checks', 'server-database']
/** About the embedded database, or about none. */
const onEmbedded = [
  'account-bad-input',
  'account-flood',
  'crash',
  'event-loop',
  'generations-documents',
  'generations-engine',
  'roles',
  'server-process',
]

const testFiles = (names: string[]) => names.map((name) => `tests/api/${name}.test.ts`)
const embeddedTests = postgres && !process.env.SOAK ? testFiles([...onBoth, ...onEmbedded]) : ['tests/api/**/*.test.ts']
const postgresTests = process.env.SOAK ? [] : testFiles(onEmbedded)

const unitTests = ['src/**/*.test.ts', 'tests/*.test.ts']
const appTests = ['src/{app,ui,client,tools/ui,features/*/app,features/uploads/queue}/**/*.test.ts', 'sw/**/*.test.ts']

/**
 * Code of the server runs as it does in production, without Vite; modules, models and threads are
 * loaded once a worker, not once a file.
 */
const onNode = {
  isolate: false,
  execArgv: [...resolveOnce, roomToGrow],
  experimental: { viteModuleRunner: false, nodeLoader: false },
}

function apiTests(name: string, env: Record<string, string>, files: { include: string[]; exclude?: string[] }) {
  return {
    extends: true as const,
    test: {
      name,
      env,
      ...files,
      globalSetup: ['tests/support/setup-template-database.ts'],
      setupFiles: ['tests/support/setup-quiet.ts'],
      ...onNode,
      retry: process.env.CI ? 1 : 0,
    },
  }
}

export default defineConfig({
  plugins: [
    babel({ presets: [linguiTransformerBabelPreset()], include: /\/src\/.*\.tsx?$/ }),
    react(),
    lingui(),
    toolRoutes(tools),
    pageNames(),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      registerType: 'prompt',
      injectRegister: false,
      manifest: manifest(tools),
      injectManifest: {
        // The worker keeps those of the engine apart, for who uses it.
        globPatterns: ['index.html', '{theme,early}.js', 'assets/**/*.{js,css,woff2}', 'assets/engine/*.{wasm,tflite}'],
        // Half a megabyte for a hint that only works when somebody signs up, which needs the
        // network anyway. Staff work at a desk with a network; their screens are not for every
        // phone.
        globIgnores: ['assets/password-strength-*', 'assets/admin/**', 'assets/{admin-screens,chart}-*.css'],
        manifestTransforms: [
          (entries) => {
            writeOfflinePack(entries)
            return { manifest: entries, warnings: [] }
          },
        ],
      },
      // The system keeps the icons of an installed app itself.
      includeManifestIcons: false,
    }),
    prerender(),
    compression({
      algorithms: [defineAlgorithm('brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })],
      include: /\.(html|js|css|svg|json|webmanifest|wasm|tflite)$/,
    }),
    compressWorker(),
  ],
  build: {
    target: 'es2022',
    manifest: 'vite-manifest.json',
    modulePreload: {
      polyfill: false,
      // What a screen needs that is loaded later is asked for when its own file names it: putting
      // fifty links into a page kept a slow phone's thread busy.
      resolveDependencies: (_, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((name) => name.endsWith('.css')),
    },
    // Importing the public file of a feature or a task does nothing by itself: a screen takes what it names.
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: (id) => !/\/src\/(features\/([^/]+)\/app\/\2|engine\/tasks\/[^/]+\/index)\.ts$/.test(id),
      },
      experimental: { chunkOptimization: false },
      output: {
        chunkFileNames,
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
  worker: {
    format: 'es',
    rolldownOptions: {
      output: {
        entryFileNames: ({ name }) => `assets/${name === 'engine-worker' ? 'engine/' : ''}[name]-[hash].js`,
        // The runtime and the models of the engine.
        assetFileNames: 'assets/engine/[name]-[hash][extname]',
      },
    },
  },
  server: { proxy: { '/api': apiOrigin } },
  test: {
    // API tests wait for databases and processes more than they compute.
    maxWorkers: availableParallelism() + 2,
    globalSetup: ['tests/support/setup-temporary-folder.ts'],
    // Against tests that hang; how long they take says nothing on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          ...onNode,
          include: unitTests,
          exclude: appTests,
          // These compute, and each worker loads the models of the engine.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      // Built by Vite, as the app is; each file has globals of a browser of its own.
      { extends: true, test: { name: 'unit-app', include: appTests } },
      apiTests('api', {}, { include: embeddedTests }),
      ...(postgres
        ? [
            apiTests(
              'api-postgres',
              { TEST_DATABASE_URL: postgres },
              { include: ['tests/api/**/*.test.ts'], exclude: postgresTests },
            ),
          ]
        : []),
    ],
  },
})
