// Models
