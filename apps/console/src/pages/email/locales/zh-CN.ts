export default {
  title: '确认电子邮箱',
  as: '当前登录：{name}。',
  signInFirst: '请使用邮件中所写的账号登录。',
  confirm: '确认邮箱',
  signIn: '登录',
  done: '邮箱已确认',
}
