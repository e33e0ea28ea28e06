export default {
  title: '确认电子邮箱',
  as: '您已以 {name} 的身份登录。',
  signInFirst: '请使用邮件中所写的账号登录。',
  confirm: '确认邮箱',
  signIn: '登录',
  done: '邮箱已确认',
}
