// Health check of a container: exits with 0 while the server lives.
const { PORT, ROLE } = process.env
const port = PORT || (ROLE === 'worker' ? '3001' : '3000')
const alive = await fetch(`http://127.0.0.1:${port}/healthz`).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(alive ? 0 : 1)
