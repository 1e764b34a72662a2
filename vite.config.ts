import { availableParallelism } from 'node:os'
import { constants } from 'node:zlib'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'
import { VitePWA } from 'vite-plugin-pwa'
import { defineConfig } from 'vitest/config'
import {
  brotliQuality,
  chunkFileNames,
  chunkGroups,
  compressWorker,
  preloadedWith,
  readToolContracts,
  toolRoutes,
  writeOfflinePack,
} from './src/build/bundle.ts'
import { prerender } from './src/build/prerender.ts'
import { writeSalienceWeights } from './src/build/salience-weights.ts'
import { manifest } from './src/features/installed-app/app/manifest.ts'
import { browserOptions } from './src/scripts/browser.mjs'
import { heapGrowthFlag, resolveOnce } from './src/scripts/run.mjs'
import { testTool } from './tests/support/two-pictures/register.ts'

// All lingui plugins read this variable.
process.env.LINGUI_CONFIG ??= 'locale/lingui.config.ts'

const tools = await readToolContracts()
const apiOrigin = `http://127.0.0.1:${process.env.PORT ?? 3000}`

/** Set by src/scripts/test.mjs: a PostgreSQL for the API tests. */
const postgres = process.env.POSTGRES_URL
/**
 * Tests of rules that SQL keeps: ledger, queue, notifications, the databases themselves. They run
 * on both databases. All other files run once: on PostgreSQL if available, because transactions are
 * only concurrent there; the browser tests cover the embedded database. `npm run soak` runs the
 * tests about money and generations on both.
 */
const onBoth = ['credits', 'events', 'jobs', 'server-database']
/** Tests that start whole servers, which have the embedded database by default. */
const onEmbedded = ['crash', 'event-loop', 'server-process']
/**
 * API tests that compute pictures. They run in the workers of the engine's own tests, because each
 * further worker loads and compiles all models again.
 */
const onEngine = [
  'ask-now',
  'generated-options',
  'generations-engine',
  'generations-preview',
  'locations',
  'models',
  'picture-tools',
  'portrait-tools',
  'video',
]

const testFiles = (names: string[]) => names.map((name) => `tests/api/${name}.test.ts`)
/** Set by `npm run soak`, which alone runs rare and slow tests, on both databases. */
const soak = Boolean(process.env.SOAK)
const apiFiles = ['tests/api/**/*.test.ts', ...(soak ? ['tests/soak/**/*.test.ts'] : [])]
const embeddedFiles = postgres && !soak ? testFiles([...onBoth, ...onEmbedded]) : apiFiles
const engineFiles = soak ? [] : testFiles(onEngine)
const notOnPostgres = soak ? [] : testFiles([...onEmbedded, ...onEngine])

const unitTests = ['src/**/*.test.ts', 'tests/*.test.ts']
const engineTests = ['src/{engine,tools}/**/*.test.ts']
const appTests = ['src/{app,ui,client,tools/ui,features/*/app,upload-queue}/**/*.test.ts', 'sw/**/*.test.ts']

/**
 * Code of the server runs as it does in production, without Vite; modules, models and threads are
 * loaded once a worker, not once a file.
 */
const onNode = {
  isolate: false,
  execArgv: [...resolveOnce, heapGrowthFlag],
  experimental: { viteModuleRunner: false, nodeLoader: false },
}

/** Bundled before component tests start; others are served file by file. */
const browserPackages = [
  '@lingui/core',
  '@lingui/react',
  '@simplewebauthn/browser',
  '@tanstack/query-persist-client-core',
  '@tanstack/react-query',
  '@use-gesture/react',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  '@zxcvbn-ts/language-id',
  'arktype',
  'arktype/config',
  'axe-core',
  'client-zip',
  'cmdk',
  'eventsource-parser',
  'idb-keyval',
  'jotai',
  'lucide-react',
  'react-dom/client',
  'react-hook-form',
  'tus-js-client',
  'uplot',
  'uqr',
  'workbox-window',
  'wouter',
  'wouter/use-browser-location',
]

/** Phone with touch, as in the journeys (e2e/playwright.config.ts). */
const componentContext = { locale: 'id-ID', hasTouch: true, reducedMotion: 'reduce' as const }

const brotli = (include: RegExp, quality: number) =>
  compression({
    algorithms: [defineAlgorithm('brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })],
    include,
  })

const cores = availableParallelism()
/**
 * Groups run one after the other, each project with a process for each core, since each process
 * compiles everything again: its first request takes 580 ms of the processor, a later one 100. API
 * tests wait for databases and pages for their frames, so they share a group; the engine computes
 * without a pause.
 */
const inGroup = (groupOrder: number) => ({ maxWorkers: cores, sequence: { groupOrder } })

/** In the embedded database unless there is a PostgreSQL. */
function onDatabase(server?: string) {
  return {
    env: server ? { TEST_DATABASE_URL: server } : {},
    globalSetup: ['tests/support/setup-template-database.ts'],
    setupFiles: ['tests/support/setup-quiet.ts'],
    ...onNode,
    retry: process.env.CI ? 1 : 0,
    ...inGroup(1),
  }
}

export default defineConfig({
  resolve: { alias: [{ find: /^salience-weights/, replacement: writeSalienceWeights() }] },
  plugins: [
    babel({ presets: [linguiTransformerBabelPreset()], include: /\/(src|tests\/support\/two-pictures)\/.*\.tsx?$/ }),
    react(),
    lingui(),
    toolRoutes(tools),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      registerType: 'prompt',
      injectRegister: false,
      manifest: manifest(tools),
      injectManifest: {
        // The service worker stores the engine's files in a separate cache after their first use.
        globPatterns: [
          'index.html',
          '{theme,early}.js',
          'assets/**/*.{js,css,woff2}',
          'assets/engine/*.{wasm,tflite,bin}',
        ],
        // Workbox leaves out files above 2 MiB by default.
        maximumFileSizeToCacheInBytes: 3e6,
        // The password strength hint takes half a megabyte and is only used during registration,
        // which needs the network anyway. Staff screens are used online.
        globIgnores: ['assets/password-strength-*', 'assets/admin/**', 'assets/{admin-screens,chart}-*.css'],
        manifestTransforms: [
          (entries) => {
            writeOfflinePack(entries)
            return { manifest: entries, warnings: [] }
          },
        ],
      },
      // The operating system stores the icons of an installed app itself.
      includeManifestIcons: false,
    }),
    prerender(),
    brotli(/\.(html|js|css|svg|json|webmanifest|wasm|tflite)$/, brotliQuality),
    // Weights hardly compress: the highest quality takes nine seconds for one percent.
    brotli(/\.bin$/, 9),
    compressWorker(),
  ],
  build: {
    target: 'es2022',
    manifest: 'vite-manifest.json',
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed, { hostType }) => (hostType === 'html' ? needed : preloadedWith(file, needed)),
    },
    // The public file of a feature or task has no side effects, so unused exports are dropped.
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: (id) =>
          !/\/src\/(features\/([^/]+)\/app\/(admin\/)?\2|engine\/tasks\/[^/]+\/index)\.tsx?$/.test(id),
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
        // Runtime and models of the engine.
        assetFileNames: 'assets/engine/[name]-[hash][extname]',
      },
    },
  },
  // Component tests answer the API themselves.
  server: { proxy: process.env.VITEST ? {} : { '/api': apiOrigin } },
  test: {
    maxWorkers: cores,
    globalSetup: ['tests/support/setup-temporary-folder.ts'],
    // The limit only stops hanging tests: durations are meaningless on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    tags: [{ name: 'soak', description: 'Rare cases of a rule that has a common one; `npm run soak` runs them.' }],
    ...(!soak && { tagsFilter: ['!soak'] }),
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', ...onNode, include: unitTests, exclude: [...appTests, ...engineTests] },
      },
      {
        extends: true,
        test: {
          name: 'engine',
          ...onDatabase(postgres),
          include: [...engineTests, ...engineFiles],
          exclude: appTests,
          ...inGroup(2),
        },
      },
      // Built by Vite like the app; each file gets its own browser globals, in a thread of its own.
      { extends: true, test: { name: 'unit-app', include: appTests, pool: 'threads' } },
      // Interface rules: the app in a real browser above a stubbed API.
      {
        extends: true,
        plugins: [testTool()],
        // A package that is only found while tests run reloads their page, and they fail or hang.
        optimizeDeps: { noDiscovery: true, include: browserPackages },
        test: {
          name: 'components',
          env: soak ? { SOAK: '1' } : {},
          include: ['src/**/*.test.tsx'],
          setupFiles: ['tests/support/components/setup.ts'],
          // Each page has a browser context with its own storage. A page runs its files without
          // reloading; each test removes what it stored.
          isolate: false,
          ...inGroup(1),
          // Nothing waits for a server or for computing, so that a failing test ends sooner.
          testTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
          retry: process.env.CI ? 1 : 0,
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({
              launchOptions: browserOptions(),
              contextOptions: componentContext,
              actionTimeout: 60_000,
            }),
            instances: [{ browser: 'chromium' }],
            viewport: { width: 390, height: 844 },
            // As in Playwright's own tests.
            locators: { exact: false },
            screenshotFailures: false,
          },
        },
      },
      {
        extends: true,
        test: { name: 'api', ...onDatabase(), include: embeddedFiles, exclude: engineFiles },
      },
      ...(postgres
        ? [
            {
              extends: true as const,
              test: { name: 'api-postgres', ...onDatabase(postgres), include: apiFiles, exclude: notOnPostgres },
            },
          ]
        : []),
    ],
  },
})
