export { en as default } from 'vuetify/locale'
