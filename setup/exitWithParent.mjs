// Ends this process when its parent is gone: `kill -9` of npm would otherwise leave a server running.
const parent = process.ppid
const timer = setInterval(() => {
  if (process.ppid === parent) return
  // Only once: a second signal would cut the graceful shutdown short.
  clearInterval(timer)
  process.kill(process.pid, 'SIGTERM')
}, 500).unref()
